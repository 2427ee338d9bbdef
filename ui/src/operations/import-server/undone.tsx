import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, ImportReport, Millis, RecordId, SiteView, Target } from "@/bridge";
import { FurtherResponse } from "@/components/foldable";
import { Outcome } from "@/components/outcome";
import { DoneAt } from "@/components/time";
import { formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useImportReport, useUndo } from "@/lib/queries/history";
import { useTargetName } from "@/lib/target-name";
import { areActiveAgain } from "@/lib/webhooks-left";
import { checksOf, FailedNames, outcomeOf, ProofVerdict, Reactivated } from "./proof";

interface UndoneProps {
	server: Target;
	target: string;
	report: ImportReport;
	record: RecordId | null;
	/** Time of the undo, if it is not shown elsewhere. */
	at?: Millis;
}

/** Result of an undo. As an import, it can leave services that do not start. */
export function Undone({ server, target, report, record, at }: UndoneProps) {
	const { t } = useTranslation("run");
	const { go } = useNavigation();
	const { errors, failedServices, warnings } = report.counts;
	const { proof, reactivated } = report;
	const checks = proof ? checksOf(proof) : [];
	const outcome = outcomeOf(report, checks.at(-1));
	const failed = outcome === "failed";
	const undoable =
		report.safetyBackup && record ? (
			<>
				<Text>{t("undoImport.ofUndo")}</Text>
				<Group>
					<Button onClick={() => go({ page: "history", record })}>{t("undoImport.openEntry")}</Button>
				</Group>
			</>
		) : null;
	const further = <FurtherResponse lines={report.further} />;
	if (outcome === "succeeded") {
		return (
			<Outcome outcome="succeeded" title={t("undoImport.undone", { site: target })}>
				{at === undefined ? null : <DoneAt at={at} />}
				{further}
				{undoable}
			</Outcome>
		);
	}
	const title = () => {
		if (failed) return t("undoImport.undoneNot", { site: target, status: report.status });
		if (errors > 0) return t("undoImport.undoneErrored", { count: errors });
		if (failedServices > 0) return t("undoImport.undoneFailed", { count: failedServices });
		if (warnings > 0) return t("undoImport.undoneWarned", { count: warnings });
		const areActive = reactivated ? areActiveAgain(reactivated) : true;
		if (areActive === false) return t("undoImport.undoneInactive", { site: target });
		if (areActive === null) return t("undoImport.undoneUnknown", { site: target });
		return t("undoImport.undone", { site: target });
	};
	return (
		<Outcome outcome={outcome} title={title()}>
			{at === undefined ? null : <DoneAt at={at} />}
			{failed ? <Text>{t("undoImport.undoneNotPartly")}</Text> : null}
			<FailedNames report={report} />
			{proof ? <ProofVerdict target={server} proof={proof} checks={checks} /> : null}
			{reactivated ? <Reactivated webhooks={reactivated} /> : null}
			{further}
			{record ? (
				<Group>
					<Button onClick={() => go({ page: "history", record, report: true })}>{t("undoImport.report")}</Button>
				</Group>
			) : null}
			{undoable}
		</Outcome>
	);
}

/** State after an import was undone. The counts are omitted if the undo has no report. */
export function UndoneSince({ undone }: { undone: HistoryEntry }) {
	const { t } = useTranslation("run");
	const target = useTargetName()(undone);
	const report = useImportReport(undone.hasReport ? undone.id : null);
	if (undone.hasReport && report.isPending) return null;
	const at = undone.endedAt ?? undone.startedAt;
	if (report.data) {
		const { site, server } = undone;
		return <Undone server={{ site, server }} target={target} report={report.data} record={undone.id} at={at} />;
	}
	const outcome = undone.outcome === "succeeded" ? "succeeded" : "warnings";
	return <Outcome outcome={outcome} title={t("undoImport.before", { at: formatTime(at) })} />;
}

/** Newest undo of this import that was not undone itself; `null` if there is none. */
export function useUndone(site: SiteView, record: RecordId | null): HistoryEntry | null {
	return useUndo(site.id, "import_server", record);
}
