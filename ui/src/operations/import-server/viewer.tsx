import { Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Outcome } from "@/components/outcome";
import type { ImportReportViewerProps } from "@/lib/operation-ui";
import { Controls } from "./controls";
import { type Filter, linesOf, matches, rowsOf, severities } from "./lines";
import { ReportRows } from "./report-rows";
import { SaveReport } from "./save-report";

/** The report workbench: what did not start, on which machine, and why. */
export function ImportReportViewer({ report, record }: ImportReportViewerProps) {
	const { t } = useTranslation("importServer");
	const lines = useMemo(() => linesOf(report), [report]);
	const [filter, setFilter] = useState<Filter>({ search: "", severities, source: null, machine: null });
	const shown = useMemo(() => lines.filter((line) => matches(line, filter)), [lines, filter]);
	const rows = useMemo(() => rowsOf(shown), [shown]);
	const { failedServices, warnings, notes } = report.counts;
	const counts = [
		t("countFailed", { count: failedServices }),
		t("countWarnings", { count: warnings }),
		t("countNotes", { count: notes }),
	];
	return (
		<Stack component="section" aria-label={t("report")}>
			<Outcome outcome={failedServices + warnings > 0 ? "warnings" : "succeeded"} title={counts.join(" · ")} />
			<SaveReport record={record} />
			<Controls lines={lines} filter={filter} onFilter={setFilter} />
			{lines.length === 0 ? <Text c="dimmed">{t("emptyReport")}</Text> : null}
			{lines.length > 0 && shown.length === 0 ? <Text c="dimmed">{t("noMatch")}</Text> : null}
			{shown.length < lines.length ? (
				<Text size="sm" c="dimmed" role="status">
					{t("hidden", { count: lines.length - shown.length })}
				</Text>
			) : null}
			<ReportRows rows={rows} />
		</Stack>
	);
}
