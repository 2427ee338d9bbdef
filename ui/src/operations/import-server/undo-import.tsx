import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type HistoryEntry,
	type ImportReport,
	type Millis,
	type RecordId,
	type ServerId,
	type SiteView,
	type Target,
	type UndoOptions,
	useBackend,
} from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { FurtherResponse } from "@/components/foldable";
import { checksOf, FailedNames, outcomeOf, ProofVerdict, Reactivated } from "@/components/import-report/verdict";
import { Outcome } from "@/components/outcome";
import { RecoveryNotice } from "@/components/recovery-notice";
import { Undo, UndoDialog, useUndoRun } from "@/components/undo";
import { formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import type { RecoveryProps } from "@/lib/operation-ui";
import { useImportReport, useUndo } from "@/lib/queries/history";
import type { RunOfItsOwn } from "@/lib/runs";
import { areActiveAgain } from "@/lib/service-state";
import { useTargetName } from "@/lib/target";
import { AdminUrl, passesAdaptor } from "./admin-url";

interface UndoImportProps {
	site: SiteView;
	/** Server of the import. Default: the current one. */
	server?: ServerId | null;
	/** Name of the server, with its site. */
	target: string;
	/** History entry of the import. It refers to the safety backup even if no response was received. */
	record: RecordId;
	/** Time of the safety backup, if the page has read it. */
	takenAt?: Millis;
	/** Whether the page itself shows that the import was undone. */
	saidAbove?: boolean;
}

/** Undoes an import with its safety backup, after a confirmation. */
export function UndoImport({
	site,
	server = site.currentServer,
	target,
	record,
	takenAt,
	saidAbove = false,
}: UndoImportProps) {
	const { t } = useTranslation("run", { keyPrefix: "undoImport" });
	const undo = useUndoImport(site, record);
	const { end } = undo;
	const [isBegunHere, setIsBegunHere] = useState(false);
	const [throughWebAdaptor, setThroughWebAdaptor] = useState(false);
	const passes = passesAdaptor(site, server);
	const before = useUndo(site.id, "import_server", record);
	// After the user returns to the page, the history shows the undo, and a further undo is possible.
	const isDone = end.kind === "done" && (isBegunHere || before?.id !== end.record);
	const said = saidAbove && before !== null;
	return (
		<Stack gap="xs" align="flex-start">
			{isDone && !said ? (
				<Undone server={{ site: site.id, server }} target={target} report={end.report} record={end.record} />
			) : null}
			{before && !said && !isDone ? <UndoneSince undone={before} /> : null}
			<Undo
				site={site}
				undo={undo}
				isDone={isDone}
				isAgain={before !== null}
				unknown={t("unknown", { site: target })}
				notSent={t("notSent", { site: target })}
				question={(close) => (
					<UndoDialog
						site={site}
						server={server}
						record={record}
						title={t("ask", { site: target })}
						what={
							takenAt === undefined
								? t("what", { site: target })
								: t("whatOf", { site: target, at: formatTime(takenAt) })
						}
						decision={
							passes ? (
								<AdminUrl
									site={site}
									server={server}
									throughAdaptor={throughWebAdaptor}
									onThroughAdaptor={setThroughWebAdaptor}
								/>
							) : null
						}
						isDecided={!passes || throughWebAdaptor}
						secure={t("secure")}
						secureHint={t("secureHint")}
						onClose={close}
						onConfirm={(typed, secure, reason) => {
							setIsBegunHere(true);
							undo.start({ record, typed, options: { secure, throughWebAdaptor } }, reason);
						}}
					/>
				)}
			/>
		</Stack>
	);
}

interface UndoForm {
	record: RecordId;
	typed: string;
	options: UndoOptions;
}

const undoing: RunOfItsOwn = { operation: "import_server", act: null, name: "undo" };

export function useUndoImport(site: SiteView, record: RecordId) {
	const backend = useBackend();
	return useUndoRun<ImportReport, UndoForm>(undoing, site, record, (run, { record, typed, options }) =>
		backend.undoImport(site.id, run, record, typed, options),
	);
}

interface UndoneProps {
	server: Target;
	target: string;
	report: ImportReport;
	record: RecordId | null;
	/** Time of the undo; omitted if the page shows it beside the result. */
	at?: Millis;
}

/** Result of an undo. Services might not start after an undo, just as after an import. */
export function Undone({ server, target, report, record, at }: UndoneProps) {
	const { t } = useTranslation("run");
	const { go } = useNavigation();
	const { errors, failedServices, warnings } = report.counts;
	const { proof, reactivated } = report;
	const checks = proof ? checksOf(proof) : [];
	const outcome = outcomeOf(report);
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

export function Recovery({ entry, site }: RecoveryProps) {
	const { t } = useTranslation("history");
	const target = useTargetName()(entry);
	if (!entry.hasSafetyBackup) return null;
	return (
		<RecoveryNotice title={t("details.recovery.undo")} text={t("details.recovery.undoWhat")}>
			<UndoImport site={site} server={entry.server} target={target} record={entry.id} />
		</RecoveryNotice>
	);
}
