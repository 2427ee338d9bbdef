import { Button, Progress, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type BackupPlan, type RunView, type ServerId, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { formatNumber, formatSize } from "@/lib/format";
import { useRunStore, useRuns } from "@/lib/runs";
import { useStale } from "@/lib/stale";
import { targetKey } from "@/lib/target";
import { useOperation } from "@/lib/use-operation";

interface VerifyAgainProps {
	plan: BackupPlan;
	set: string;
	server: ServerId;
	/** Name of the server. */
	name: string;
}

/** Verifies the file of a server once more, with the progress, and a button that stops it. */
export function VerifyAgain({ plan, set, server, name }: VerifyAgainProps) {
	const { t } = useTranslation("plans", { keyPrefix: "verifyAgain" });
	const backend = useBackend();
	const { state, start, running, problem } = useVerification(plan, set, server);
	const store = useRunStore();
	const target = { site: plan.site, server };
	const run = useRuns().find((one) => (state.kind === "running" ? one.id === state.run : isOfBefore(one)));
	const step = run?.step.kind === "verifyingFile" ? run.step : null;
	const stop = useMutation({ mutationFn: () => backend.stopRun(run?.id ?? "") });
	const report = state.kind === "done" ? state.report : null;
	/**
	 * Whether a run verifies a file of the server since before the window was loaded again. The program does not say of
	 * which set it is: it is shown at each.
	 */
	function isOfBefore(one: RunView): boolean {
		return one.act === "verify_export" && targetKey(one) === targetKey(target) && !store.isOwn(one.id);
	}
	return (
		<Stack gap={4} align="flex-end">
			{run ? (
				<Button aria-label={t("stopLabel", { part: name })} loading={stop.isPending} onClick={() => stop.mutate()}>
					{t("stop")}
				</Button>
			) : (
				<Button aria-label={t("verifyLabel", { part: name })} loading={running} onClick={() => start()}>
					{t("verify")}
				</Button>
			)}
			{step?.total != null ? (
				<Stack gap={2} w={160}>
					<Progress value={(step.done / Math.max(1, step.total)) * 100} aria-label={t("progress", { part: name })} />
					<Text size="xs" c="dimmed" ta="end">
						{t("done", { done: formatSize(step.done), total: formatSize(step.total) })}
					</Text>
				</Stack>
			) : null}
			<Text size="xs" role="status" ta="end">
				{state.kind === "notSent" ? t("end.stopped") : null}
				{report?.kind === "partlyVerified"
					? t("end.partlyVerified", {
							count: report.unverifiedEntries,
							formatted: formatNumber(report.unverifiedEntries),
						})
					: report && t(`end.${report.kind}`)}
			</Text>
			{problem ? <ProblemNotice problem={problem} /> : null}
		</Stack>
	);
}

/** Its state outlives the page: a file of gigabytes takes minutes. */
function useVerification(plan: BackupPlan, set: string, server: ServerId) {
	const backend = useBackend();
	const stale = useStale();
	const key = { operation: "export_server", act: "verify_export", name: `${plan.id} ${set} ${server}` } as const;
	return useOperation(key, { id: plan.site, currentServer: server }, async (run) => {
		try {
			return await backend.verifySetFile({ site: plan.site, server }, run.id, plan.id, set);
		} finally {
			await stale("verifySetFile", plan.site);
		}
	});
}
