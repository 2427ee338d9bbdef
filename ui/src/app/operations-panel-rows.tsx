import { ActionIcon, Button, Group, Loader, Text, VisuallyHidden } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { EndedRun, HistoryEntry, RunView } from "@/bridge";
import { OutcomeIcon } from "@/components/outcome";
import { LinkButton } from "@/components/text";
import { formatClock, formatDuration, formatTime } from "@/lib/format";
import { useEntryName, useNameOfRun } from "@/lib/history-text";
import { type Place, useNavigation } from "@/lib/navigation";
import { runText, useRunName } from "@/lib/runs";
import { announced, useStepText } from "@/lib/step-text";
import { stopKind } from "@/lib/stop-mode";
import { useTargetName } from "@/lib/target";
import { useNow } from "@/lib/use-now";
import classes from "./operations-panel.module.css";
import { operationsPanelRowHeight } from "./use-operations-panel";

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
