import { Button, Group, Stack, Text } from "@mantine/core";
import { IconFilterOff, IconHistory } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { RecordId } from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { HistoryList, type RowId } from "./history-list";
import { SavePackage } from "./save-package";

interface FoundProps extends ComponentProps<typeof HistoryList> {
	filtered: boolean;
	onClear: () => void;
	/** Returns the entries of a row: one, or all of a batch. */
	recordsOf: (row: RowId) => Promise<readonly RecordId[]>;
}

export function Found({ filtered, onClear, recordsOf, ...list }: FoundProps) {
	const { entries, damaged, more, selected } = list;
	const { t } = useTranslation("history");
	const unreadable = damaged.reduce((sum, { count }) => sum + count, 0);
	if (entries.length > 0 || unreadable > 0) {
		return (
			<Stack gap="xs">
				<Group justify="space-between" mih={30}>
					<Text c="dimmed" role="status">
						{[
							t(more ? "countSoFar" : "count", { count: entries.length }),
							...(unreadable > 0 ? [t("damaged.entry", { count: unreadable })] : []),
							...(selected.length > 0 ? [t("selected", { count: selected.length })] : []),
						].join(" · ")}
					</Text>
					{selected.length > 1 ? (
						<SavePackage records={async () => (await Promise.all(selected.map(recordsOf))).flat()} />
					) : null}
					{filtered ? (
						<Button variant="subtle" leftSection={<IconFilterOff size={14} aria-hidden />} onClick={onClear}>
							{t("noMatch.clear")}
						</Button>
					) : null}
				</Group>
				<HistoryList {...list} />
			</Stack>
		);
	}
	if (!filtered) {
		return (
			<EmptyState icon={IconHistory} title={t("empty.title")}>
				{t("empty.body")}
			</EmptyState>
		);
	}
	return (
		<EmptyState
			icon={IconFilterOff}
			title={t("noMatch.title")}
			action={<Button onClick={onClear}>{t("noMatch.all")}</Button>}
		>
			{t("noMatch.body")}
		</EmptyState>
	);
}
