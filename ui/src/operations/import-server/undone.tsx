import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportReport, Millis, RecordId, Target } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { FurtherResponse } from "@/components/further-response";
import { Outcome } from "@/components/outcome";
import { useNavigation } from "@/lib/navigation";
import { areActiveAgain } from "@/lib/webhooks-left";
import { FailedNames } from "./failed-names";
import { outcomeOf } from "./outcome-of";
import { checksOf, ProofVerdict } from "./proof";
import { Reactivated } from "./reactivated";

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
