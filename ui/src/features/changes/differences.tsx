import { Anchor, Group, Table, Text } from "@mantine/core";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Compared, ComparisonView, DifferenceView, SiteView } from "@/bridge";
import { Board } from "@/components/board";
import { Pages, usePages } from "@/components/pages";
import { formatNumber } from "@/lib/format";
import type { Titles } from "./choice";
import { DifferenceRow } from "./difference-row";

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
	const [opened, open] = useState<string | null>(null);
	const accepted = comparison.differences.filter((one) => one.accepted !== null).length;
	const pages = usePages(withAccepted ? found : found.filter((one) => one.accepted === null));
	const heads = [t("change"), t("what"), titles.from, titles.to];
	heads.push(...(titles.sides === null ? [t("firstSeen"), t("by"), ""] : [t("lastChanged"), ""]));
	return (
		<>
			{accepted === 0 ? null : (
				<Group gap={4}>
					<Text size="xs" c="dimmed">
						{t("accepted", { count: accepted, formatted: formatNumber(accepted) })}
					</Text>
					<Anchor component="button" type="button" size="xs" onClick={() => show(!withAccepted)}>
						{t(withAccepted ? "hideAccepted" : "showAccepted")}
					</Anchor>
				</Group>
			)}
			{pages.total === 0 ? (
				<Text c="dimmed" role="status">
					{t(found.length < comparison.differences.length ? "noMatch" : "noChange")}
				</Text>
			) : (
				<Board label={t("title")} heads={heads}>
					{pages.shown.map((one, place) => {
						const id = JSON.stringify(one.key);
						const isFirst = pages.shown[place - 1]?.key.kind !== one.key.kind;
						return (
							<Fragment key={id}>
								{isFirst ? (
									<Table.Tr>
										<Table.Th colSpan={heads.length} scope="rowgroup">
											{t(`kinds.${one.key.kind}`)}
										</Table.Th>
									</Table.Tr>
								) : null}
								<DifferenceRow
									site={site}
									compared={compared}
									titles={titles}
									difference={one}
									isHistoryKnown={comparison.isHistoryKnown}
									opened={opened === id}
									onOpen={() => open(opened === id ? null : id)}
								/>
							</Fragment>
						);
					})}
				</Board>
			)}
			<Pages handle={pages} label={t("pages")} />
		</>
	);
}
