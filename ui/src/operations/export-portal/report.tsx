import { Button, Group, List, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ExportOutcome, ExportPortalForm, SiteView } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { DoneAt } from "@/components/done-at";
import { Foldable } from "@/components/foldable";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { WarningList } from "@/components/warning-list";
import { formatDuration } from "@/lib/format";

interface ReportProps {
	site: SiteView;
	done: Done<ExportOutcome, ExportPortalForm>;
	exportNow: (form: ExportPortalForm) => void;
}

/** What came of a portal export, or of a check. */
export function Report({ site, done, exportNow }: ReportProps) {
	const { t } = useTranslation("exportPortal");
	const { report, form } = done;
	const about = { site: site.name, took: formatDuration(done.took) };
	switch (report.status) {
		case "checked":
			return (
				<Outcome outcome="succeeded" title={t("checked", { location: form.target.location })}>
					<Text size="sm">{t("checkedNote")}</Text>
					<Group>
						<Button onClick={() => exportNow({ ...form, checkOnly: false })}>{t("submit")}</Button>
					</Group>
				</Outcome>
			);
		case "written":
			return (
				<Stack>
					<Outcome outcome="succeeded" title={t("written", about)}>
						<DoneAt at={done.at} />
						<CopyField label={t("file")} value={report.location} copyLabel={t("copyPath")} />
					</Outcome>
					<Contents />
				</Stack>
			);
		case "writtenWithWarnings":
			return (
				<Stack>
					<Outcome outcome="warnings" title={t("warnings", { ...about, count: report.messages.length })}>
						<DoneAt at={done.at} />
						<CopyField label={t("file")} value={report.location} copyLabel={t("copyPath")} />
						<WarningList title={t("warningsTitle")} messages={report.messages} />
					</Outcome>
					<Contents />
				</Stack>
			);
	}
}

function Contents() {
	const { t } = useTranslation("exportPortal");
	return (
		<Foldable title={t("contents")}>
			<List size="sm">
				<List.Item>{t("content1")}</List.Item>
				<List.Item>{t("content2")}</List.Item>
				<List.Item>{t("content3")}</List.Item>
			</List>
		</Foldable>
	);
}
