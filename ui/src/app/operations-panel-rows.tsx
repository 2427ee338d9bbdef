import { ActionIcon, Button, Group, Loader, Text, VisuallyHidden } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EndedRun, HistoryEntry, RunId, RunView } from "@/bridge";
import { OutcomeIcon } from "@/components/outcome";
import { LinkButton } from "@/components/text";
import { formatClock, formatDuration, formatTime, useNow } from "@/lib/format";
import { useEntryName, useNameOfRun } from "@/lib/history-text";
import { type Place, useNavigation } from "@/lib/navigation";
import { useUnknownRecords } from "@/lib/queries/history";
import { useLastSession } from "@/lib/queries/program";
import { showsUpload } from "@/lib/queries/uploads";
import { type OperationState, runText, useEndedRuns, useRunName, useRunStore, useRuns } from "@/lib/runs";
import { announced, useStepText } from "@/lib/step-text";
import { stopKind } from "@/lib/stop-mode";
import { targetKey, targetOf, useTargetName } from "@/lib/target";
import classes from "./operations-panel.module.css";

function Row({ children }: { children: ReactNode }) {
	return (
		<Group h={operationsPanelRowHeight} px="md" gap="sm" wrap="nowrap" className={classes.row ?? ""}>
			{children}
		</Group>
	);
}

/** Returns the operation page of a run, for its portal or server. */
function placeOf({ site, server, operation: key }: RunView | EndedRun): Place {
	return { page: "operation", site, server, key };
}

/** Link to the page of a row. */
function RowLink({ to, label, children }: { to: Place; label: string; children: string }) {
	const { go } = useNavigation();
	return (
		<LinkButton truncate onClick={() => go(to)} aria-label={label} title={children}>
			{children}
		</LinkButton>
	);
}

export function RunningRow({ run, onStop }: { run: RunView; onStop: () => void }) {
	const { t } = useTranslation();
	const now = useNow(1_000);
	const step = useStepText(run.step);
	const said = useStepText(announced(run.step));
	const nameOf = useRunName();
	const elapsed = formatClock(now - run.startedAt);
	const stop = stopKind(run.step, run.operation);
	const names = { operation: nameOf(run), site: useTargetName()(run) };
	return (
		<Row>
			<Loader size={16} aria-hidden />
			<RowLink to={placeOf(run)} label={t("operationsPanel.open", names)}>
				{t(runText(run), names)}
			</RowLink>
			<Text c="dimmed" truncate flex={1} miw={0} className={classes.step ?? ""} title={step}>
				{step}
			</Text>
			<VisuallyHidden role="status">{said}</VisuallyHidden>
			<Text className={classes.clock ?? ""} role="timer" aria-label={t("operationsPanel.elapsed")}>
				{run.usual === null || run.usual < 1_000
					? elapsed
					: t("operationsPanel.usually", { elapsed, usual: formatDuration(rounded(run.usual)) })}
			</Text>
			{stop === null ? null : (
				<Button flex="none" onClick={onStop} aria-label={t(`operationsPanel.stop.${stop}.label`, names)}>
					{t(`operationsPanel.stop.${stop}.button`)}
				</Button>
			)}
		</Row>
	);
}

export function EndedRow({ run, onDismiss }: { run: EndedRun; onDismiss: () => void }) {
	const { t } = useTranslation();
	const names = { operation: useNameOfRun()(run), site: useTargetName()(run) };
	const unknown = run.outcome === "unknown";
	const check = unknown ? ({ check: true } as const) : {};
	const to: Place = run.record === null ? placeOf(run) : { page: "history", record: run.record, ...check };
	return (
		<Row>
			<OutcomeIcon outcome={run.outcome} />
			<RowLink to={to} label={t(unknown ? "operationsPanel.findOutLabel" : "operationsPanel.openResult", names)}>
				{t("operationsPanel.run", names)}
			</RowLink>
			<Text truncate flex={1} role="status">
				{t(unknown ? "operationsPanel.noAnswer" : `outcome.${run.outcome}`)}
			</Text>
			<Text c="dimmed" flex="none">
				{formatTime(run.endedAt)}
			</Text>
			<ActionIcon variant="subtle" color="gray" onClick={onDismiss} aria-label={t("operationsPanel.dismiss", names)}>
				<IconX size={16} aria-hidden />
			</ActionIcon>
		</Row>
	);
}

/** Entries with an unknown outcome, in one line. */
export function UnknownRow({ records, onLater }: { records: readonly HistoryEntry[]; onLater: () => void }) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	const nameOf = useEntryName();
	const targetOf = useTargetName();
	const [first] = records;
	if (!first) return null;
	const single = t("operationsPanel.unknownOne", {
		operation: nameOf(first),
		site: targetOf(first),
		at: formatTime(first.startedAt),
	});
	const words = records.length === 1 ? single : t("operationsPanel.unknownMany", { count: records.length });
	return (
		<Row>
			<OutcomeIcon outcome="unknown" />
			{/* A row has room for two lines. */}
			<Text lineClamp={2} lh="lg" flex={1} role="status" title={words}>
				{words}
			</Text>
			<Button flex="none" onClick={() => go({ page: "history", record: first.id, check: true })}>
				{t(records.length === 1 ? "operationsPanel.findOut" : "operationsPanel.findOutMany")}
			</Button>
			<Button variant="subtle" color="gray" flex="none" onClick={onLater}>
				{t("operationsPanel.later")}
			</Button>
		</Row>
	);
}

/** Rounds durations from two minutes to whole minutes: "usually 14 min". */
function rounded(millis: number): number {
	return millis < 120_000 ? millis : Math.round(millis / 60_000) * 60_000;
}

export interface Dock {
	runs: readonly RunView[];
	ended: readonly EndedRun[];
	/** Entries with an unknown outcome, possibly from before a crash. */
	unknown: readonly HistoryEntry[];
	empty: boolean;
	/** Removes an ended run. An unknown outcome stays in the history. */
	dismiss: (run: EndedRun) => void;
	/** Hides unknown outcomes until the window is opened again. */
	later: () => void;
}

const operationsPanelRowHeight = 40;

/** Height of at most three rows, in pixels; more rows scroll. */
export function operationsPanelHeight({ runs, ended, unknown }: Dock): number {
	const rows = runs.length + ended.length + (unknown.length > 0 ? 1 : 0);
	return Math.min(Math.max(rows, 1), 3) * operationsPanelRowHeight + 1;
}

export function useOperationsPanel(): Dock {
	const { place, site } = useNavigation();
	const queries = useQueryClient();
	const store = useRunStore();
	const runs = useRuns();
	const all = useEndedRuns();
	const records = useUnknownRecords().data;
	// After a sign-out, the page shows the sign-in instead of the result.
	const isSignedIn = useLastSession(site?.id ?? "") !== null;
	const [later, setLater] = useState<ReadonlySet<string>>(new Set());

	// Results that are shown on their own page need no row.
	const seen = useRef(new Set<RunId>());
	useEffect(() => {
		for (const run of all) {
			const inView =
				place.page === "operation" &&
				place.key === run.operation &&
				site !== null &&
				isSignedIn &&
				targetKey(targetOf(place.key, site)) === targetKey(run);
			const isNew = !seen.current.has(run.id);
			seen.current.add(run.id);
			// The form of an import shows the end of its upload.
			const isShown =
				run.act === "upload" ? showsUpload(queries, run, run.id) : shows(store.state(run.operation, run), run);
			if (isNew && inView && isShown) store.dismiss(run.id);
		}
	}, [all, place, site, isSignedIn, queries, store]);

	return useMemo(() => {
		const shown = (record: HistoryEntry) => !later.has(record.id) && !all.some((run) => run.record === record.id);
		const unknown = (records ?? []).filter(shown);
		const leave = (ids: readonly (string | null)[]) =>
			setLater((before) => new Set([...before, ...ids.filter((id) => id !== null)]));
		return {
			runs,
			ended: all,
			unknown,
			empty: runs.length + all.length + unknown.length === 0,
			dismiss: (run) => {
				leave([run.record]);
				store.dismiss(run.id);
			},
			later: () => leave(unknown.map(({ id }) => id)),
		};
	}, [runs, all, records, later, store]);
}

/** Whether a page with this state shows the result of the run itself, and not, for example, of an undo. */
function shows(state: OperationState<unknown, unknown>, run: EndedRun): boolean {
	return state.kind !== "idle" && state.run === run.id;
}
