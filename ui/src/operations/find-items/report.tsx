import { Group, Stack, Text } from "@mantine/core";
import { IconDatabaseOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ItemSearchView, SiteView } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { Notice } from "@/components/notice";
import { EmptyState } from "@/components/page";
import { Heading } from "@/components/text";
import { useGapText } from "@/lib/gap-text";
import { filterText } from "./checks";
import { ItemTable } from "./item-table";

interface ResultsProps {
	site: SiteView;
	search: ItemSearchView;
	actions: ReactNode;
	/** Filter from the link that led here, empty if it names nothing; `null` without a link. */
	narrow: string | null;
}

export function Results({ site, search, actions, narrow }: ResultsProps) {
	const { t } = useTranslation("findItems");
	const gapText = useGapText();
	const filters = filterText(t, search.form);
	const gap = search.gap ? <Notice text={gapText(search.gap, "")} tone="warnings" title={t("incomplete")} /> : null;
	if (search.total === 0) {
		return (
			gap ?? (
				<EmptyState icon={IconDatabaseOff} title={t("none")}>
					{t("noneBody", { filters })}
				</EmptyState>
			)
		);
	}
	return (
		<Stack gap="sm">
			<Group justify="space-between" align="flex-start" gap="sm">
				<Stack gap={0} miw={0} flex="1 1 240px">
					<Heading>{t("found", { count: search.total })}</Heading>
					<Group gap="0 var(--mantine-spacing-xs)">
						<Text c="dimmed" mod="anywhere">
							{t("askedFor", { filters })}
						</Text>
						<DoneAt at={search.at} />
					</Group>
				</Stack>
				<Group gap="xs">{actions}</Group>
			</Group>
			{gap}
			<ItemTable key={search.id} site={site} search={search} narrow={narrow} />
		</Stack>
	);
}
