import { Group, Stack, TextInput, Title } from "@mantine/core";
import { IconDatabaseOff, IconSearch } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DataItem, DataItemSearch, FindItemsForm } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { EmptyState } from "@/components/empty-state";
import type { Done } from "@/components/operation-screen";
import { formatList, formatNumber } from "@/lib/format";
import { ItemDetails } from "./item-details";
import { ItemGrid } from "./item-grid";
import { filtered, type Order, sorted } from "./order";

/** What was found: to be sorted, filtered and looked into. */
export function Report({ done }: { done: Done<DataItemSearch, FindItemsForm> }) {
	const { t } = useTranslation("findItems");
	const { items } = done.report;
	const [words, setWords] = useState("");
	const [order, setOrder] = useState<Order>({ column: "path", descending: false });
	const [opened, setOpened] = useState<DataItem | null>(null);
	const shown = useMemo(() => sorted(filtered(items, words), order), [items, words, order]);
	if (items.length === 0) {
		return (
			<EmptyState icon={IconDatabaseOff} title={t("none")}>
				{t("noneBody", { filters: formatList(filtersOf(done.form)) })}
			</EmptyState>
		);
	}
	return (
		<Stack gap="sm">
			<Group align="flex-end" justify="space-between">
				<Stack gap={0}>
					<Title order={2} size="h4">
						{t("found", { count: items.length })}
					</Title>
					<DoneAt at={done.at} />
				</Stack>
				<TextInput
					label={t("filter")}
					leftSection={<IconSearch size={16} aria-hidden />}
					description={
						shown.length === items.length
							? undefined
							: t("shown", { shown: formatNumber(shown.length), total: formatNumber(items.length) })
					}
					inputWrapperOrder={["label", "input", "description"]}
					value={words}
					onChange={(event) => setWords(event.currentTarget.value)}
				/>
			</Group>
			<ItemGrid items={shown} order={order} onOrder={setOrder} onOpen={setOpened} />
			<ItemDetails item={opened} onClose={() => setOpened(null)} />
		</Stack>
	);
}

/** What was asked, as "types egdb". */
function filtersOf(form: FindItemsForm): string[] {
	return Object.entries(form)
		.filter(([, value]) => value !== "" && value !== null)
		.map(([name, value]) => `${name} ${value}`);
}
