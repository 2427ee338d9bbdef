import { Group, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
	type ArchiveContents,
	type Comparison,
	type Difference,
	type ExportComparison,
	type Kind,
	type NoInventory as NoInventoryReason,
	type Problem,
	type SiteView,
	useBackend,
} from "@/bridge";
import { ChangesSince } from "@/components/changes-since";
import { changeText, type Differing, type Titles } from "@/components/difference-row";
import { DifferenceTable } from "@/components/difference-table";
import { Narrowing, NotCompared, narrowed, useHeadline } from "@/components/differences";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { SaveTable } from "@/components/saved-file";
import { IconButton, Time } from "@/components/text";
import { draftKey, useSessionState } from "@/lib/drafts";
import { formatList } from "@/lib/format";
import { serverName, serverNameOf, serverOf, tableName, targetKey } from "@/lib/target";

type ComparisonQuery = UseQueryResult<ExportComparison, Problem>;

/** Returns how many services an import removes; `null` while this is unknown. */
export function countRemovedServices(query: ComparisonQuery): number | null {
	const comparison = query.data?.comparison;
	if (!comparison || comparison.notCompared.some(({ kind }) => kind === "services")) return null;
	return comparison.differences.filter(({ kind, change }) => kind === "services" && change === "missing").length;
}

/** Differences that an import of the selected export would cause. */
export function ComparisonNotice({ site, query }: { site: SiteView; query: ComparisonQuery }) {
	const { t } = useTranslation("importServer", { keyPrefix: "comparison" });
	if (query.isLoading) return <LoadingRows rows={2} height={20} />;
	if (query.error) return <ProblemNotice problem={query.error} onRetry={() => void query.refetch()} />;
	if (!query.data) return null;
	const { comparison, noInventory, isBeside, changes, contents } = query.data;
	if (comparison === null) return <NoInventory reason={noInventory ?? "none"} contents={contents} />;
	return (
		<Stack gap="xs" component="section" aria-label={t("title")}>
			<Compared site={site} comparison={comparison} isBeside={isBeside} query={query} />
			{changes.count > 0 ? <ChangesSince changes={changes} title={t("since", { count: changes.count })} /> : null}
		</Stack>
	);
}

interface ComparedProps {
	site: SiteView;
	comparison: Comparison;
	isBeside: boolean;
	query: ComparisonQuery;
}

/** Headline, what was not compared, and the differences. */
function Compared({ site, comparison, isBeside, query }: ComparedProps) {
	const { t } = useTranslation("importServer", { keyPrefix: "comparison" });
	const { differences, notCompared, exportTakenAt } = comparison;
	const titles: Titles = { from: t("column.onSite"), to: t("column.inExport"), sides: null, isImport: true };
	const all = differences.map(differing);
	const server = serverName(site, site.currentServer ?? "");
	const gaps = notCompared.map(({ kind, ...gap }) => ({ ...gap, resourceKind: kind, server }));
	const headline = useHeadline(all, gaps, titles);
	const again = (
		<IconButton
			label={t("refresh")}
			icon={IconRefresh}
			loading={query.isFetching}
			onClick={() => void query.refetch()}
		/>
	);
	return (
		<>
			<Text size="lg" fw={600} role="status">
				{all.length === 0 && gaps.length === 0 ? t("none") : headline}
			</Text>
			<Text component="div">
				{t("taken")} <Time at={exportTakenAt} relative />
			</Text>
			{isBeside ? <Text>{t("isBeside")}</Text> : null}
			<NotCompared gaps={gaps}>{again}</NotCompared>
			{all.length === 0 ? null : <Differences site={site} all={all} titles={titles} again={again} />}
		</>
	);
}

/** Returns a difference as the table of all comparisons shows it. */
function differing({ kind, name, change, onSite, inExport }: Difference): Differing {
	const first = { field: "", before: onSite, after: inExport, isSecret: false, isList: false };
	return { key: { kind, place: "", name }, server: null, change, first, fields: 1 };
}

/** Number of folders named. */
const folders = 5;

function NoInventory({ reason, contents }: { reason: NoInventoryReason; contents: ArchiveContents | null }) {
	const { t } = useTranslation("importServer", { keyPrefix: "comparison" });
	const named = contents?.folders.slice(0, folders) ?? [];
	const words = named.map(({ name, entries }) => t("folder", { name, entries }));
	return (
		<Stack gap={4}>
			<Text>{t(`noInventory.${reason}`)}</Text>
			{contents?.isRecognized === false ? (
				<Notice text={t("notRecognized")} tone="warnings" title={t("notRecognizedTitle")} />
			) : null}
			{contents === null ? null : (
				<Text mod="anywhere">
					{t("contents", { count: contents.entries })}
					{words.length > 0 ? ` ${t("contentsIn", { folders: formatList(words) })}` : null}
				</Text>
			)}
		</Stack>
	);
}

const kindOf = draftKey<Kind | null>();
const searchOf = draftKey<string>();

interface DifferencesProps {
	site: SiteView;
	all: readonly Differing[];
	titles: Titles;
	/** Button that compares again. */
	again: ReactNode;
}

function Differences({ site, all, titles, again }: DifferencesProps) {
	const { t } = useTranslation(["importServer", "changes", "common"]);
	const { t: changes } = useTranslation("changes");
	const names = { siteName: site.name, serverName: serverNameOf("import_server", site) };
	const backend = useBackend();
	const target = targetKey(serverOf(site));
	const [chosen, setKind] = useSessionState<Kind | null>(kindOf(target), null);
	const [words, search] = useSessionState(searchOf(target), "");
	// The kind might not occur in another file.
	const kind = all.some(({ key }) => key.kind === chosen) ? chosen : null;
	const found = narrowed(all, words, kind);
	const columns = [t("common:changesFile.kind"), t("changes:change"), t("common:changesFile.name")];
	const cells = ({ key, change, first }: Differing) => [
		t(`common:changesFile.kinds.${key.kind}`),
		changeText(changes, change, titles),
		key.name,
		first?.before ?? "",
		first?.after ?? "",
	];
	return (
		<Stack gap="xs">
			<Group gap="xs">
				<Narrowing all={all} words={words} onWords={search} kind={kind} onKind={setKind} />
				{again}
			</Group>
			{found.length === 0 ? (
				<Text c="dimmed" role="status">
					{changes("noMatch")}
				</Text>
			) : (
				<DifferenceTable label={t("comparison.title")} titles={titles} shown={found} />
			)}
			<SaveTable
				label={t("comparison.save")}
				save={() =>
					backend.saveTable(tableName(names, t("comparison.file")), [
						[...columns, titles.from, titles.to],
						...found.map(cells),
					])
				}
			/>
		</Stack>
	);
}
