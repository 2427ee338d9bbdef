import { Button, Progress, Stack, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { type BackupPlan, type RunView, type ServerId, type SetFileVerification, useBackend } from "@/bridge";
import { CommandButton } from "@/components/command-button";
import { ProblemNotice } from "@/components/notice";
import { Small } from "@/components/text";
import { formatSize } from "@/lib/format";
import { type RunOfItsOwn, type RunStore, useRunStore, useRuns } from "@/lib/runs";
import { useStale } from "@/lib/stale";
import { targetKey } from "@/lib/target";
import { useCommand } from "@/lib/use-command";

interface VerifyAgainProps {
	plan: BackupPlan;
	set: string;
	/** `null` for the portal. */
	server: ServerId | null;
	name: string;
	onVerify: () => void;
}

/** Verifies the file of a part again, with progress and Stop. */
export function VerifyAgain({ plan, set, server, name, onVerify }: VerifyAgainProps) {
	const { t } = useTranslation("plans", { keyPrefix: "verifyAgain" });
	const store = useRunStore();
	const target = { site: plan.site, server };
	const state = useSyncExternalStore(store.subscribe, () => stateOf(store, plan, set, server));
	const problem = state.kind === "failed" ? state.problem : null;
	const run = useRuns().find((one) => (state.kind === "running" ? one.id === state.run : isOfBefore(one)));
	const step = run?.step.kind === "verifyingFile" ? run.step : null;
	const stop = useCommand((backend) => backend.stopRun(run?.id ?? ""));
	const report = state.kind === "done" ? state.report : null;
	/**
	 * Whether a run, started before the window was reloaded, verifies a file of this part. The backend does not report
	 * which set it belongs to, so it is shown with each of them.
	 */
	function isOfBefore(one: RunView): boolean {
		return one.act === "verify_export" && targetKey(one) === targetKey(target) && !store.isOwn(one.id);
	}
	return (
		<Stack gap={4} align="flex-end">
			{run ? (
				<CommandButton command={stop} label={t("stop")} aria-label={t("stopLabel", { part: name })} />
			) : (
				<Button aria-label={t("verifyLabel", { part: name })} loading={state.kind === "running"} onClick={onVerify}>
					{t("verify")}
				</Button>
			)}
			{step?.total != null ? (
				<Stack gap={2} w={160}>
					<Progress value={(step.done / Math.max(1, step.total)) * 100} aria-label={t("progress", { part: name })} />
					<Small ta="end">{t("done", { done: formatSize(step.done), total: formatSize(step.total) })}</Small>
				</Stack>
			) : null}
			<Text size="xs" role="status" ta="end">
				{state.kind === "notSent" ? t("end.stopped") : null}
				{report?.kind === "partlyVerified"
					? t("end.partlyVerified", { count: report.unverifiedEntries })
					: report && t(`end.${report.kind}`)}
			</Text>
			{problem ? <ProblemNotice problem={problem} /> : null}
		</Stack>
	);
}

/** Returns the state key of a verification. Its result outlives the page, because verifying gigabytes takes minutes. */
const keyOf = (plan: BackupPlan, set: string, server: ServerId | null): RunOfItsOwn => ({
	operation: server === null ? "export_portal" : "export_server",
	act: "verify_export",
	name: `${plan.id} ${set} ${server}`,
});

function stateOf(store: RunStore, plan: BackupPlan, set: string, server: ServerId | null) {
	return store.state<SetFileVerification, undefined>(keyOf(plan, set, server), { site: plan.site, server });
}

/** Returns a function that verifies the files of parts one after the other, until one is stopped. */
export function useVerify(plan: BackupPlan, set: string): (servers: readonly (ServerId | null)[]) => Promise<void> {
	const backend = useBackend();
	const stale = useStale();
	const store = useRunStore();
	return async (servers) => {
		for (const server of servers) {
			const target = { site: plan.site, server };
			await store.start(keyOf(plan, set, server), target, undefined, async (run) => {
				try {
					return await backend.verifySetFile(target, run.id, plan.id, set);
				} finally {
					await stale("verifySetFile", plan.site);
				}
			});
			if (stateOf(store, plan, set, server).kind === "notSent") return;
		}
	};
}
