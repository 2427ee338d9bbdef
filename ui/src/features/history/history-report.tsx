import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Page } from "@/components/page";
import { formatDateTime } from "@/lib/format";
import { useEntryName } from "@/lib/history-text";
import type { ImportReportViewerProps } from "@/lib/operation-ui";
import { useImportReport } from "@/lib/queries/history";
import { useTargetName } from "@/lib/target";

interface HistoryReportProps {
	entry: HistoryEntry;
	onBack: () => void;
	Viewer: ComponentType<ImportReportViewerProps>;
}

export function HistoryReport({ entry, onBack, Viewer }: HistoryReportProps) {
	const { t } = useTranslation("history");
	const nameOf = useEntryName();
	const targetOf = useTargetName();
	const report = useImportReport(entry.id);
	return (
		<Page
			title={t("report.title")}
			description={t("report.description", {
				operation: nameOf(entry),
				site: targetOf(entry),
				at: formatDateTime(entry.startedAt),
			})}
			width="wide"
			actions={
				<Button leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
					{t("report.back")}
				</Button>
			}
		>
			{report.isPending ? <LoadingRows rows={6} /> : null}
			{report.error ? <ProblemNotice problem={report.error} onRetry={() => void report.refetch()} /> : null}
			{report.data ? (
				<Viewer target={{ site: entry.site, server: entry.server }} report={report.data} record={entry.id} />
			) : null}
		</Page>
	);
}
