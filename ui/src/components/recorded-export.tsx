import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type HistoryEntry, type OperationKey, type RecordedVerification, type RunView, useBackend } from "@/bridge";
import { formatSize } from "@/lib/format";
import type { RecoveryProps } from "@/lib/operation-ui";
import { useRecordedExport } from "@/lib/queries/history";
import { useOperation, useRunStore, useRuns } from "@/lib/runs";
import { targetKey } from "@/lib/target";
import { useStale } from "@/lib/use-command";
import { LookInto } from "./look-into";
import { Notice, ProblemNotice } from "./notice";
import { RecoveryNotice } from "./recovery-notice";
import { RunningCheck } from "./run-panel";
import { Small, Time } from "./text";
import { Verification } from "./verification";

/** File of a recorded export, as long as it exists: verify it again, or list its entries. */
export function RecordedExport({ entry, site }: RecoveryProps) {
	const { t } = useTranslation("history", { keyPrefix: "details.file" });
	const file = useRecordedExport(entry.id);
	const check = useVerification(entry, site);
	const { state } = check;
	const store = useRunStore();
	const running = useRuns().find((one) => (state.kind === "running" ? one.id === state.run : isOfBefore(one)));
	if (file.error) return <ProblemNotice problem={file.error} onRetry={() => void file.refetch()} />;
	if (!file.data) return null;
	const { path, size } = file.data;
	if (size === null) return <RecoveryNotice title={t("gone")} text={path} />;
	/**
	 * Whether a run, started before the window was reloaded, verifies an export of this portal or server. The backend
	 * does not report which entry it belongs to, so it is shown with each of them.
	 */
	function isOfBefore(one: RunView): boolean {
		const isHere = one.operation === entry.operation && targetKey(one) === targetKey(entry);
		return one.act === "verify_export" && isHere && !store.isOwn(one.id);
	}
	return (
		<RecoveryNotice title={t("title", { size: formatSize(size) })} text={path}>
			<Group gap="xs" align="flex-start">
				<Button loading={check.running || running !== undefined} onClick={() => check.start()}>
					{t("verify")}
				</Button>
				<LookInto target={entry} file={{ kind: "recorded", record: entry.id }} />
			</Group>
			{running ? <RunningCheck run={running} /> : null}
			{state.kind === "failed" ? <ProblemNotice problem={state.problem} /> : null}
			{state.kind === "notSent" ? <Text role="status">{t("stopped")}</Text> : null}
			{state.kind === "done" ? <Result report={state.report} at={state.at} /> : null}
		</RecoveryNotice>
	);
}

/** Verification of a recorded export. Its state outlives the page, because verifying gigabytes takes minutes. */
function useVerification(entry: HistoryEntry, site: RecoveryProps["site"]) {
	const backend = useBackend();
	const stale = useStale();
	// Cast because only exports have a file.
	const operation = entry.operation as OperationKey;
	const key = { operation, act: "verify_export" as const, name: entry.id };
	return useOperation(key, site, async (run) => {
		const ended = await backend.verifyRecordedExport(site.id, run.id, entry.id);
		await stale("verifyRecordedExport", entry.id);
		return ended;
	});
}

function Result({ report, at }: { report: RecordedVerification; at: number }) {
	const { t } = useTranslation("history", { keyPrefix: "details.file" });
	if (report.kind === "gone") return null;
	const { verification, isCompared } = report;
	if (verification.fault === "changed") {
		return <Notice text={t("changedWhat")} tone="failed" title={t("changed")} />;
	}
	return (
		<>
			<Verification verification={verification} />
			<Small role="status">
				{t("verified")} <Time at={at} />
			</Small>
			{verification.fault === null && !isCompared ? <Text>{t("notCompared")}</Text> : null}
		</>
	);
}
