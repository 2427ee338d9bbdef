import { Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportReport, ImportServerForm, SiteView } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import type { Done } from "@/components/operation-screen";
import { formatDuration } from "@/lib/format";
import { ImportReportViewer } from "./viewer";
import { WayBack } from "./way-back";

export { ImportReportViewer };

/** What happened, in a sentence, and the report. */
export function Report({ site, done }: { site: SiteView; done: Done<ImportReport, ImportServerForm> }) {
	const { t } = useTranslation("importServer");
	const { failedServices, warnings } = done.report.counts;
	const about = { site: site.name, took: formatDuration(done.took) };
	const title =
		failedServices > 0
			? t("failed", { ...about, count: failedServices })
			: warnings > 0
				? t("warned", { ...about, count: warnings })
				: t("clean", about);
	return (
		<Stack maw={1100}>
			<Stack gap={2}>
				<Title order={2} size="h4">
					{title}
				</Title>
				<DoneAt at={done.at} />
				<Text size="sm" c="dimmed">
					{t("kept")}
				</Text>
			</Stack>
			{done.report.wayBack && done.record ? (
				<WayBack site={site} record={done.record} wayBack={done.report.wayBack} />
			) : null}
			<ImportReportViewer report={done.report} record={done.record} />
		</Stack>
	);
}
