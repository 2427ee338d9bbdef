import { Stack, Text } from "@mantine/core";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { ImportReport, ImportServerForm, ReportCounts, SiteView } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { FailedNames } from "@/components/failed-names";
import { Foldable } from "@/components/foldable";
import type { Done } from "@/components/operation-screen";
import { Outcome, type OutcomeName } from "@/components/outcome";
import { UndoneSince } from "@/components/undone-since";
import { formatDuration } from "@/lib/format";
import type { ImportReportViewerProps } from "@/lib/operation-ui";
import { saysSuccess } from "@/lib/says-success";
import { serverOf } from "@/lib/target";
import { useTargetNameOf } from "@/lib/target-name";
import { useUndone } from "@/lib/use-undone";
import { hasMessages } from "./lines";
import { checksOf, Proof, ProofVerdict } from "./proof";
import { areActiveAgain, Reactivated } from "./reactivated";
import { ReportView } from "./report-view";
import { SafetyBackup } from "./safety-backup";
import { StillDeactivated } from "./still-deactivated";

/** What happened, in a sentence, the undo, and the report. */
export function Report({ site, done }: { site: SiteView; done: Done<ImportReport, ImportServerForm> }) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	const { report, record } = done;
	const { errors, failedServices, warnings } = report.counts;
	const counts = useCounts(report.counts);
	const about = { site: target, took: formatDuration(done.took) };
	const { status } = report;
	const failed = !saysSuccess(status);
	const isEmpty = !hasMessages(report);
	const title = () => {
		if (failed) return t("notSuccess", { ...about, status });
		if (errors > 0) return t("errored", { ...about, count: errors });
		if (failedServices > 0) return t("failed", { ...about, count: failedServices });
		if (warnings > 0) return t("warned", { ...about, count: warnings });
		if (report.reactivated && !areActiveAgain(report.reactivated)) return t("webhooksInactive", about);
		return t(isEmpty ? "noReport" : "clean", about);
	};
	const undone = useUndone(site, record);
	const before = (
		<Outcome outcome={outcomeOf(report)} title={title()}>
			<DoneAt at={done.at} />
			{failed ? <Text size="sm">{t("mightBePartly")}</Text> : null}
			<Text size="sm">{isEmpty ? t("noReportDo") : counts}</Text>
			<FailedNames report={report} />
			{isEmpty ? null : (
				<Text size="sm" c="dimmed">
					{t(record === null ? "notKept" : "kept")}
				</Text>
			)}
		</Outcome>
	);
	return (
		// All end where the report ends.
		<Stack style={{ "--notice-width": "none" } as CSSProperties}>
			{undone ? <UndoneSince undone={undone} /> : before}
			{report.proof && !undone ? <Proof site={site} record={record} proof={report.proof} /> : null}
			{report.reactivated && !undone ? <Reactivated webhooks={report.reactivated} /> : null}
			<StillDeactivated site={site} />
			{report.safetyBackup && record ? (
				<SafetyBackup site={site} record={record} safetyBackup={report.safetyBackup} undone={undone !== null} />
			) : null}
			{undone ? (
				<Foldable title={t("beforeUndone")}>
					<Stack>
						{before}
						<ReportView target={serverOf(site)} report={report} record={record} />
					</Stack>
				</Foldable>
			) : (
				<ReportView target={serverOf(site)} report={report} record={record} />
			)}
		</Stack>
	);
}

/** A report that the history keeps: how it ended in a line, and its messages. */
export function ImportReportViewer({ target, report, record }: ImportReportViewerProps) {
	const counts = useCounts(report.counts);
	return (
		<Stack>
			<Outcome outcome={outcomeOf(report)} title={counts}>
				<FailedNames report={report} />
			</Outcome>
			{report.proof ? <ProofVerdict target={target} proof={report.proof} checks={checksOf(report.proof)} /> : null}
			<ReportView target={target} report={report} record={record} />
		</Stack>
	);
}

/** A server calls an import with services down a success; nobody else should. */
function outcomeOf({ status, counts: { errors, failedServices, warnings }, reactivated }: ImportReport): OutcomeName {
	if (!saysSuccess(status)) return "failed";
	if (reactivated && !areActiveAgain(reactivated)) return "warnings";
	return errors + failedServices + warnings > 0 ? "warnings" : "succeeded";
}

/** "2 services did not start · 4 notes": what there is, worst first. */
function useCounts({ errors, failedServices, warnings, notes }: ReportCounts): string {
	const { t } = useTranslation("importServer");
	const parts = [
		errors > 0 ? t("countErrors", { count: errors }) : null,
		failedServices > 0 ? t("countFailed", { count: failedServices }) : null,
		warnings > 0 ? t("countWarnings", { count: warnings }) : null,
		notes > 0 ? t("countNotes", { count: notes }) : null,
	].filter((part) => part !== null);
	// A line may end with the dot, and never begins with it.
	return parts.length > 0 ? parts.join("\u00a0· ") : t("emptyReport");
}
