import { Box, Button, Chip, Group, Menu, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue, useElementSize } from "@mantine/hooks";
import { IconFileZip, IconSearch } from "@tabler/icons-react";
import { type CSSProperties, type ReactNode, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, ImportReport, Problem, RecordId, ReportFormat, SiteId, Target } from "@/bridge";
import { FurtherResponse } from "@/components/foldable";
import { IconItem, SaveMenu } from "@/components/menu";
import { ProblemNotice } from "@/components/notice";
import { SaveStatus } from "@/components/saved-file";
import { draftKey, useSessionState } from "@/lib/drafts";
import { formatTime } from "@/lib/format";
import { usePageKey } from "@/lib/page-keys";
import { type Ticks, useChecklist } from "@/lib/queries/changes";
import { useEarlierReports, useImportReport, useRecord } from "@/lib/queries/history";
import { useSaveRecord } from "@/lib/use-saving";
import {
	changes,
	everything,
	type Facts,
	type Filter,
	factsOf,
	hasMessages,
	isOpenMatter,
	type Line,
	linesOf,
	matching,
	rank,
	rowsOf,
	severities,
} from "./lines";
import { ReportTree } from "./report-tree";
import classes from "./report-view.module.css";
import { RowDetails } from "./row-details";

const filterOf = draftKey<Filter>();
const turnedOf = draftKey<ReadonlySet<string>>();
const chosenOf = draftKey<string | null>();

const unturned: ReadonlySet<string> = new Set();

export interface ReportProps {
	/** Server of the import. Its site might have been removed since. */
	target: Target;
	report: ImportReport;
	/** History entry of the import; `null` if it could not be written. */
	record: RecordId | null;
}

/** Report with filters. Each task can be marked as done. */
export function ReportView({ target, report, record }: ReportProps) {
	const { t } = useTranslation("importServer");
	const comparison = useComparison(report, record);
	const { lines } = comparison;
	const ticks = useChecklist(record);
	const save = useSaveReport(record);
	const [filter, setFilter] = useSessionState(record === null ? null : filterOf(record), everything);
	const facts = useMemo(() => factsOf(lines), [lines]);
	return (
		<Stack component="section" aria-label={t("report")} className={classes.bench ?? ""} gap="sm">
			<Shown
				tools={
					<Controls facts={facts} filter={filter} onFilter={setFilter} comparison={comparison}>
						{hasMessages(report) ? save.menu : null}
					</Controls>
				}
				news={
					<>
						{save.news}
						<ProblemNotice problem={comparison.problem} />
						<ProblemNotice problem={ticks.problem} />
					</>
				}
				lines={lines}
				filter={filter}
				onEverything={() => setFilter(everything)}
				ticks={ticks}
				target={comparison.site === null ? null : target}
				record={record}
			/>
			<FurtherResponse lines={report.further} />
		</Stack>
	);
}

interface ShownProps {
	/** Filters of the report, above its rows. */
	tools: ReactNode;
	/** Shown between the filters and the rows. */
	news: ReactNode;
	lines: readonly Line[];
	filter: Filter;
	onEverything: () => void;
	ticks: Ticks;
	target: Target | null;
	record: RecordId | null;
}

/** Filtered rows below the tools. `tools` is an element from the parent, so that it is not rendered again. */
function Shown({ tools, news, lines, filter, onEverything, ticks, target, record }: ShownProps) {
	const { t } = useTranslation("importServer");
	const { ref, height } = useElementSize();
	const [turned, setTurned] = useSessionState(record === null ? null : turnedOf(record), unturned);
	const [chosen, setChosen] = useSessionState(record === null ? null : chosenOf(record), null);
	// Reacts to the first letter at once, and during key repeat at intervals.
	const [applied] = useDebouncedValue(filter, 40, { leading: true });
	const shown = useMemo(() => matching(lines, applied), [lines, applied]);
	const rows = useMemo(() => rowsOf(shown, turned), [shown, turned]);
	const found = useMemo(() => rows.findIndex(({ id }) => id === chosen), [rows, chosen]);
	const active = Math.max(found, 0);
	const row = rows[active];
	const matters = useMemo(() => lines.filter(isOpenMatter), [lines]);
	const fixed = useMemo(() => matters.filter(({ id }) => ticks.done.has(id)).length, [matters, ticks.done]);

	const turn = useCallback(
		(id: string) => {
			setTurned((before) => {
				const next = new Set(before);
				if (!next.delete(id)) next.add(id);
				return next;
			});
		},
		[setTurned],
	);
	const hidden = lines.length - shown.length;
	return (
		<>
			<Box ref={ref} className={classes.tools ?? ""}>
				<Stack gap="xs">
					{tools}
					{/* Part of the tools, because a line of its own could be out of view in a low window. */}
					<Group gap="lg" justify="space-between">
						<Group gap="xs">
							<Text c="dimmed" role="status">
								{lines.length === 0 ? t("emptyReport") : null}
								{lines.length > 0 && shown.length === 0 ? t("noMatch") : null}
								{shown.length > 0 ? (hidden > 0 ? t("hidden", { count: hidden }) : t("keys")) : null}
							</Text>
							{hidden > 0 ? (
								<Button variant="subtle" onClick={onEverything}>
									{t("showWhole")}
								</Button>
							) : null}
						</Group>
						{matters.length > 0 ? (
							<Text c="dimmed">{t("fixedCount", { done: fixed, total: matters.length })}</Text>
						) : null}
					</Group>
				</Stack>
			</Box>
			{news}
			{row ? (
				<Box className={classes.halves ?? ""} style={{ "--tools": `${height}px` } as CSSProperties}>
					<ReportTree rows={rows} active={active} ticks={ticks} onActive={setChosen} onTurn={turn} />
					<Box className={classes.details ?? ""} component="section" aria-label={t("details")} tabIndex={0}>
						<RowDetails row={row} ticks={ticks} target={target} />
					</Box>
				</Box>
			) : null}
		</>
	);
}

const formats = ["html", "csv", "json"] as const satisfies readonly ReportFormat[];

/** Menu that saves a report in the system's file dialog. `news` shows the result. */
export function useSaveReport(record: RecordId | null) {
	const { t } = useTranslation("importServer");
	const save = useSaveRecord(record);
	const menu = (
		<SaveMenu
			label={t("save.report")}
			formats={formats}
			nameOf={(format) => t(`save.${format}`)}
			save={save}
			disabled={record === null}
		>
			<Menu.Divider />
			<IconItem label={t("save.auditPackage")} icon={IconFileZip} onClick={() => save.mutate("auditPackage")} />
		</SaveMenu>
	);
	const news = (
		<SaveStatus
			save={save}
			label={t(save.variables === "auditPackage" ? "savedAuditPackage" : "saved")}
			dismissed={t("saveDismissed")}
		/>
	);
	return { menu, news };
}

interface ControlsProps {
	facts: Facts;
	filter: Filter;
	onFilter: (filter: Filter) => void;
	comparison: Comparison;
	/** Buttons at the end of the first row. */
	children: ReactNode;
}

/**
 * Filters of a report (words, source, machine, level), comparison with an earlier report, and the buttons in
 * `children`.
 */
function Controls({ facts, filter, onFilter, comparison, children }: ControlsProps) {
	const { t } = useTranslation("importServer");
	const find = usePageKey("find");
	// A single source has nothing to select.
	const data = { source: facts.sources.length > 1 ? facts.sources : [], machine: facts.machines };
	return (
		<Stack gap="xs">
			<Group gap="xs">
				<TextInput
					size="xs"
					flex="1 1 160px"
					aria-label={t("search")}
					placeholder={t("search")}
					leftSection={<IconSearch size={16} aria-hidden />}
					value={filter.search}
					onChange={(event) => onFilter({ ...filter, search: event.currentTarget.value })}
					{...find}
				/>
				{(["source", "machine"] as const).map((of) =>
					data[of].length === 0 ? null : (
						<Select
							key={of}
							size="xs"
							flex="0 1 12rem"
							aria-label={t(of)}
							placeholder={t(`all.${of}`)}
							data={data[of]}
							clearable
							value={filter[of]}
							onChange={(value) => onFilter({ ...filter, [of]: value })}
						/>
					),
				)}
				{comparison.earlier.length > 0 ? (
					<Select
						size="xs"
						flex="0 1 220px"
						aria-label={t("compare")}
						placeholder={t("compareNone")}
						data={comparison.earlier.map(({ id, startedAt }) => ({
							value: id,
							label: t("importOf", { at: formatTime(startedAt) }),
						}))}
						clearable
						value={comparison.chosen}
						onChange={comparison.choose}
					/>
				) : null}
				{children}
			</Group>
			<Group gap="var(--mantine-spacing-xs) var(--mantine-spacing-lg)">
				<Chips
					label={t("levels")}
					all={severities.filter((one) => facts.severities[one] > 0)}
					chosen={filter.severities}
					words={(one) => t("chip", { name: t(`level.${one}`), count: facts.severities[one] })}
					onChoose={(shown) => onFilter({ ...filter, severities: shown })}
					every={severities}
				/>
				{comparison.chosen !== null && comparison.ready ? (
					<Chips
						label={t("compare")}
						all={changes}
						chosen={filter.changes}
						words={(one) => t("chip", { name: t(`change.${one}`), count: facts.changes[one] })}
						onChoose={(shown) => onFilter({ ...filter, changes: shown })}
						every={changes}
					/>
				) : null}
			</Group>
		</Stack>
	);
}

interface ChipsProps<T extends string> {
	label: string;
	/** Options shown. `every` also contains those that are hidden. */
	all: readonly T[];
	every: readonly T[];
	chosen: readonly T[];
	words: (one: T) => string;
	onChoose: (chosen: T[]) => void;
}

function Chips<T extends string>({ label, all, every, chosen, words, onChoose }: ChipsProps<T>) {
	return (
		<Chip.Group multiple value={[...chosen]} onChange={(now) => onChoose(every.filter((one) => now.includes(one)))}>
			<Group gap="xs" role="group" aria-label={label}>
				{all.map((one) => (
					<Chip key={one} value={one} size="sm" variant="outline">
						{words(one)}
					</Chip>
				))}
			</Group>
		</Chip.Group>
	);
}

interface Comparison {
	/** Site of the report; `null` if unknown. */
	site: SiteId | null;
	/** Earlier imports of the same site, newest first. */
	earlier: readonly HistoryEntry[];
	/** Import to compare with; `null` for none. */
	chosen: RecordId | null;
	choose: (record: RecordId | null) => void;
	/** Whether the comparison is included in `lines`. */
	ready: boolean;
	problem: Problem | null;
	/** Lines of the report, with those of the earlier one if it is selected. */
	lines: readonly Line[];
}

function useComparison(report: ImportReport, record: RecordId | null): Comparison {
	const [chosen, choose] = useState<RecordId | null>(null);
	const own = useRecord(record).data?.entry;
	const earlier = useEarlierReports(own);
	const other = useImportReport(chosen);
	const alone = useMemo(() => linesOf(report), [report]);
	const lines = useMemo(
		() => (chosen !== null && other.data ? compared(alone, linesOf(other.data)) : alone),
		[alone, chosen, other.data],
	);
	return { site: own?.site ?? null, earlier, chosen, choose, ready: lines !== alone, problem: other.error, lines };
}

/** Marks each line as new or same, and adds the lines that only the earlier report has. */
function compared(now: readonly Line[], earlier: readonly Line[]): Line[] {
	const before = new Map<string, Line[]>();
	for (const line of earlier) {
		const equals = before.get(subject(line));
		if (equals) equals.push(line);
		else before.set(subject(line), [line]);
	}
	const lines = now.map((line): Line => {
		// Equal messages are matched one by one.
		const match = before.get(subject(line))?.pop();
		return { ...line, change: match ? "same" : "new" };
	});
	const gone = [...before.values()].flat().map((line): Line => ({ ...line, id: `gone ${line.id}`, change: "gone" }));
	return [...lines, ...gone].sort((one, other) => rank(one) - rank(other));
}

/** Returns the key by which messages are equal: name and state of a service, otherwise level and text. */
function subject({ source, message: { level, message, service } }: Line): string {
	return JSON.stringify(service ? [source, service.service, service.state] : [source, level, message]);
}
