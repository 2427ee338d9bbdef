import { Group, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Compared, ComparisonView, DifferenceView, SiteView } from "@/bridge";
import { LinkButton, Small } from "@/components/text";
import type { Titles } from "./choices";
import { DifferenceTable } from "./difference-table";

interface DifferencesProps {
	site: SiteView;
	compared: Compared;
	titles: Titles;
	comparison: ComparisonView;
	/** Those that match the search. */
	found: readonly DifferenceView[];
}

/** Differences by kind, the worst first. Accepted ones are shown on demand. */
export function Differences({ site, compared, titles, comparison, found }: DifferencesProps) {
	const { t } = useTranslation("changes");
	const [withAccepted, show] = useState(false);
	const accepted = comparison.differences.filter((one) => one.accepted !== null).length;
	const shown = withAccepted ? found : found.filter((one) => one.accepted === null);
	return (
		<>
			{accepted === 0 ? null : (
				<Group gap={4}>
					<Small>{t("accepted", { count: accepted })}</Small>
					<LinkButton size="xs" onClick={() => show(!withAccepted)}>
						{t(withAccepted ? "hideAccepted" : "showAccepted")}
					</LinkButton>
				</Group>
			)}
			{shown.length === 0 ? (
				<Text c="dimmed" role="status">
					{t(found.length < comparison.differences.length ? "noMatch" : "noChange")}
				</Text>
			) : (
				<DifferenceTable
					site={site}
					compared={compared}
					titles={titles}
					shown={shown}
					isHistoryKnown={comparison.isHistoryKnown}
				/>
			)}
		</>
	);
}
