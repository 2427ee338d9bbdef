import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportReport, Millis, RecordId } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { Outcome } from "@/components/outcome";
import { useNavigation } from "@/lib/navigation";
import { FailedNames } from "./failed-names";

interface UndoneProps {
	/** Name of the server. */
	target: string;
	/** Of the undoing. */
	report: ImportReport;
	record: RecordId | null;
	/** When, where it is said apart from the act. */
	at?: Millis;
}

/** It is an import, and can leave services that do not start like any other. */
export function Undone({ target, report, record, at }: UndoneProps) {
	const { t } = useTranslation("run");
	const { go } = useNavigation();
	const { errors, failedServices, warnings } = report.counts;
	const failed = report.isFailed ?? false;
	const undoable =
		report.safetyBackup && record ? (
			<>
				<Text>{t("undoImport.ofUndo")}</Text>
				<Group>
					<Button onClick={() => go({ page: "history", record })}>{t("undoImport.openEntry")}</Button>
				</Group>
			</>
		) : null;
	if (!failed && errors + failedServices + warnings === 0) {
		return (
			<Outcome outcome="succeeded" title={t("undoImport.undone", { site: target })}>
				{at === undefined ? null : <DoneAt at={at} />}
				{undoable}
			</Outcome>
		);
	}
	const title = () => {
		if (failed) return t("undoImport.undoneNot", { site: target, status: report.status });
		if (errors > 0) return t("undoImport.undoneErrored", { count: errors });
		if (failedServices > 0) return t("undoImport.undoneFailed", { count: failedServices });
		return t("undoImport.undoneWarned", { count: warnings });
	};
	return (
		<Outcome outcome={failed ? "failed" : "warnings"} title={title()}>
			{at === undefined ? null : <DoneAt at={at} />}
			{failed ? <Text>{t("undoImport.undoneNotPartly")}</Text> : null}
			<FailedNames report={report} />
			{record ? (
				<Group>
					<Button onClick={() => go({ page: "history", record, report: true })}>{t("undoImport.report")}</Button>
				</Group>
			) : null}
			{undoable}
		</Outcome>
	);
}
