import { Group, Loader, Paper, Progress, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { OperationKey, RunView, SiteView } from "@/bridge";
import { formatClock, useNow } from "@/lib/format";
import { useNameOfRun } from "@/lib/history-text";
import type { NamedRun, OperationState } from "@/lib/runs";
import { useStepText } from "@/lib/step-text";
import { stopKind } from "@/lib/stop-mode";
import { serverNameOf, useTargetNameOf } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { CommandButton, ProblemNotice } from "./notice";
import { StopButton } from "./stop-dialog";

type Running = Extract<OperationState<unknown, unknown>, { kind: "running" }>;

export function RunPanel({ operation, site, state }: { operation: OperationKey; site: SiteView; state: Running }) {
	const { t } = useTranslation(["run", "common"]);
	const target = useTargetNameOf(operation, site);
	const now = useNow(1_000);
	const step = useStepText(state.step);
	const batch = state.step?.kind === "batch" ? state.step : null;
	const kind = stopKind(state.step, operation);
	return (
		<Paper withBorder p="md">
			<Stack gap="xs">
				<Group wrap="nowrap" gap="sm">
					<Loader size={20} aria-hidden />
					<Text fw={600} flex={1} role="status">
						{t("running", { operation: t(`common:operation.${operation}.name`), site: target })}
					</Text>
					<Text ff="monospace" role="timer" aria-label={t("elapsed")}>
						{formatClock(now - state.startedAt)}
					</Text>
				</Group>
				<Text>{step}</Text>
				{batch ? (
					<Progress value={(batch.done / batch.total) * 100} aria-label={t("progress")} transitionDuration={200} />
				) : null}
				<Text c="dimmed">
					{kind === null
						? t("stopHint.asking")
						: `${t("keepWorking")} ${t(`stopHint.${kind === "uploading" ? "waiting" : kind}`, { site: target })}`}
				</Text>
				{kind === null ? null : (
					<Group>
						<StopButton run={runOf(operation, site, state)} />
					</Group>
				)}
			</Stack>
		</Paper>
	);
}

export function runOf(operation: OperationKey, site: SiteView, { run, step }: Running): NamedRun {
	const serverName = serverNameOf(operation, site);
	return { id: run, operation, act: null, isUndo: false, siteName: site.name, serverName, step };
}

/** Running check with Stop. No confirmation is required, because a check changes nothing. */
export function RunningCheck({ run }: { run: RunView }) {
	const { t } = useTranslation("common");
	const stop = useCommand((backend) => backend.stopRun(run.id));
	const step = useStepText(run.step);
	const nameOf = useNameOfRun();
	return (
		<Group gap="xs" role="status">
			<Loader size={16} aria-hidden />
			<Text>{nameOf(run)}</Text>
			<Text c="dimmed">{step}</Text>
			<CommandButton command={stop} label={t("operationsPanel.stop.check.button")} />
			<ProblemNotice problem={stop.error} />
		</Group>
	);
}
