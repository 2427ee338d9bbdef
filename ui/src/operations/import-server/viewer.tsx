import { Stack } from "@mantine/core";
import { FailedNames } from "@/components/failed-names";
import { Outcome } from "@/components/outcome";
import type { ImportReportViewerProps } from "@/lib/operation-ui";
import { outcomeOf, useCounts } from "./counts";
import { checksOf, ProofVerdict } from "./proof";
import { ReportView } from "./report-view";

/** A report that the history keeps: how it ended in a line, and the workbench. */
export function ImportReportViewer({ site, report, record }: ImportReportViewerProps) {
	const counts = useCounts(report.counts);
	return (
		<Stack>
			<Outcome outcome={outcomeOf(report)} title={counts}>
				<FailedNames report={report} />
			</Outcome>
			{report.proof ? <ProofVerdict site={site} proof={report.proof} checks={checksOf(report.proof)} /> : null}
			<ReportView report={report} record={record} />
		</Stack>
	);
}
