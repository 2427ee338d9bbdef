import { Box, Button, Group, Menu, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useElementSize } from "@mantine/hooks";
import { IconFileZip } from "@tabler/icons-react";
import { type CSSProperties, type ReactNode, useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { RecordId, ReportFormat, Target } from "@/bridge";
import { FurtherResponse } from "@/components/foldable";
import { IconItem, SaveMenu } from "@/components/menu";
import { ProblemNotice } from "@/components/notice";
import { SaveStatus } from "@/components/saved-file";
import { draftKey, useSessionState } from "@/lib/drafts";
import type { ImportReportViewerProps } from "@/lib/operation-ui";
import { type Ticks, useChecklist } from "@/lib/queries/checklist";
import { useSaveRecord } from "@/lib/use-saving";
import { Controls } from "./controls";
import { everything, type Filter, factsOf, hasMessages, isOpenMatter, type Line, matching, rowsOf } from "./lines";
import { ReportTree } from "./report-tree";
import classes from "./report-view.module.css";
import { RowDetails } from "./row-details";
import { useComparison } from "./use-comparison";

const filterOf = draftKey<Filter>();
const turnedOf = draftKey<ReadonlySet<string>>();
const chosenOf = draftKey<string | null>();

const unturned: ReadonlySet<string> = new Set();

/** Report with filters. Each task can be marked as done. */
export function ReportView({ target, report, record }: ImportReportViewerProps) {
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
						{comparison.problem ? <ProblemNotice problem={comparison.problem} /> : null}
						{ticks.problem ? <ProblemNotice problem={ticks.problem} /> : null}
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
	/** Filters. */
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
			<IconItem icon={IconFileZip} onClick={() => save.mutate("auditPackage")}>
				{t("save.auditPackage")}
			</IconItem>
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
