import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Outcome } from "@/components/outcome";
import { KeptProof } from "@/components/site-back";
import { type ReportProps, ReportView } from "./report-view";
import { checksOf, FailedNames, outcomeOf, ProofVerdict, Reactivated, useCounts } from "./verdict";

/** Report in the history: summary and messages. */
export function ImportReportViewer({ target, report, record }: ReportProps) {
	const { t } = useTranslation("importServer");
	const counts = useCounts(report.counts);
	return (
		<Stack>
			{report.back ? <KeptProof proof={report.back} /> : null}
			<Outcome outcome={outcomeOf(report)} title={counts || t("emptyReport")}>
				{report.importedInstead ? <Text>{t("importedInstead")}</Text> : null}
				{report.proof?.check == null ? <FailedNames report={report} /> : null}
				{report.proof ? <ProofVerdict target={target} proof={report.proof} checks={checksOf(report.proof)} /> : null}
				{report.reactivated ? <Reactivated webhooks={report.reactivated} /> : null}
			</Outcome>
			<ReportView target={target} report={report} record={record} />
		</Stack>
	);
}
