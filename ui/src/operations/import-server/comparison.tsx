import { Button, Chip, Group, Stack, Table, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
	type ArchiveContents,
	type Difference,
	type DifferenceKind,
	type ExportComparison,
	type NoInventory as NoInventoryReason,
	type Problem,
	type SiteView,
	useBackend,
} from "@/bridge";
import { ChangesSince } from "@/components/changes-since";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { SaveTable } from "@/components/saved-file";
import { SearchedList } from "@/components/searched-list";
import { Breakable, Time } from "@/components/text";
import { Heads, WideTable } from "@/components/wide-table";
import { draftKey, useSessionState } from "@/lib/drafts";
import { formatList } from "@/lib/format";
import { serverNameOf, serverOf, tableName, targetKey } from "@/lib/target";

type ComparisonQuery = UseQueryResult<ExportComparison, Problem>;

/** Returns how many services an import removes; `null` while this is unknown. */
export function countRemovedServices(query: ComparisonQuery): number | null {
	const comparison = query.data?.comparison;
	if (!comparison || comparison.notCompared.some(({ part }) => part === "services")) return null;
	return comparison.differences.filter(({ kind }) => kind === "serviceDisappears").length;
}

/** Differences that an import of the selected export would cause. */
export function ComparisonNotice({ site, query }: { site: SiteView; query: ComparisonQuery }) {
	const { t } = useTranslation("importServer", { keyPrefix: "comparison" });
	const { t: parts } = useTranslation("run", { keyPrefix: "inventory" });
	if (query.isLoading) return <LoadingRows rows={2} height={20} />;
	if (query.error) return <ProblemNotice problem={query.error} onRetry={() => void query.refetch()} />;
	if (!query.data) return null;
	const { comparison, noInventory, isBeside, changes, contents } = query.data;
	if (comparison === null) return <NoInventory reason={noInventory ?? "none"} contents={contents} />;
	const { differences, notCompared, exportTakenAt } = comparison;
	const isWhole = notCompared.length === 0;
	return (
		<Stack gap="xs" component="section" aria-label={t("title")}>
			{differences.length > 0 ? (
				<Headline>{formatList(countsOf(differences).map(([kind, count]) => t(`count.${kind}`, { count })))}</Headline>
			) : isWhole ? (
				<Headline>{t("none")}</Headline>
			) : null}
			<Text component="div">
				{t("taken")} <Time at={exportTakenAt} relative />
			</Text>
			{isBeside ? <Text>{t("isBeside")}</Text> : null}
			{isWhole ? null : (
				<Notice tone="warnings" title={t("incomplete")}>
					{notCompared.map(({ part, of, reason }) => (
						<Text key={`${part} ${of}`}>
							{!of
								? t("notCompared", { part: parts(`part.${part}`), reason })
								: t("notComparedOf", { part: parts(`part.${part}`), of, reason })}
						</Text>
					))}
					<Group>
						<Button loading={query.isFetching} onClick={() => void query.refetch()}>
							{t("refresh")}
						</Button>
					</Group>
				</Notice>
			)}
			{differences.length > 0 ? <Differences site={site} all={differences} query={query} /> : null}
			{changes.count > 0 ? <ChangesSince changes={changes} title={t("since", { count: changes.count })} /> : null}
		</Stack>
	);
}

function Headline({ children }: { children: string }) {
	return (
		<Text size="lg" fw={600} role="status">
			{children}
		</Text>
	);
}

/** Returns the number of differences of each kind, in order of appearance. */
function countsOf(all: readonly Difference[]): [DifferenceKind, number][] {
	const counts = new Map<DifferenceKind, number>();
	for (const { kind } of all) counts.set(kind, (counts.get(kind) ?? 0) + 1);
	return [...counts];
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

const kindOf = draftKey<DifferenceKind | null>();
const searchOf = draftKey<string>();

/** Widths of the first columns. */
const widths = ["28%", "40%"];

function Differences({ site, all, query }: { site: SiteView; all: readonly Difference[]; query: ComparisonQuery }) {
	const { t } = useTranslation("importServer", { keyPrefix: "comparison" });
	const names = { siteName: site.name, serverName: serverNameOf("import_server", site) };
	const backend = useBackend();
	const [chosen, setKind] = useSessionState<DifferenceKind | null>(kindOf(targetKey(serverOf(site))), null);
	const [search, setSearch] = useSessionState(searchOf(targetKey(serverOf(site))), "");
	// The kind might not occur in another file.
	const kind = all.some((one) => one.kind === chosen) ? chosen : null;
	const looked = search.trim().toLowerCase();
	const found = all.filter((one) => (kind === null || one.kind === kind) && one.name.toLowerCase().includes(looked));
	const columns = [t("column.change"), t("column.name"), t("column.onSite"), t("column.inExport")];
	const cells = ({ kind, name, onSite, inExport }: Difference) => [t(`kind.${kind}`), name, onSite, inExport];
	return (
		<Stack gap="xs">
			<Chip.Group value={kind ?? ""} onChange={(value) => setKind(value === "" ? null : (value as DifferenceKind))}>
				<Group gap="xs">
					<Chip value="" size="xs">
						{t("all", { total: all.length })}
					</Chip>
					{countsOf(all).map(([one, count]) => (
						<Chip key={one} value={one} size="xs">
							{t(`count.${one}`, { count })}
						</Chip>
					))}
				</Group>
			</Chip.Group>
			<SearchedList
				label={t("search")}
				search={search}
				onSearch={setSearch}
				refresh={t("refresh")}
				list={query}
				items={found}
				pagesLabel={t("pages")}
				none={t("nothingFound")}
			>
				{(shown) => (
					<WideTable label={t("title")} head={<Heads of={columns.map((column, at) => [column, { w: widths[at] }])} />}>
						{shown.map((one, row) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: webhooks with equal names differ only in their position
							<Table.Tr key={`${one.kind} ${one.name} ${row}`}>
								{cells(one).map((cell, at) => (
									<Table.Td key={columns[at]} mod="anywhere">
										<Breakable>{cell}</Breakable>
									</Table.Td>
								))}
							</Table.Tr>
						))}
					</WideTable>
				)}
			</SearchedList>
			<SaveTable
				label={t("save")}
				save={() => backend.saveTable(tableName(names, t("file")), [columns, ...found.map(cells)])}
			/>
		</Stack>
	);
}
