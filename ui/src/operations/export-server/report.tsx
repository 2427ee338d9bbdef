import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type ExportServerForm, type ServerExportReport, type SiteView, useBackend } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { DoneAt } from "@/components/done-at";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { SavedFile } from "@/components/saved-file";
import { WarningList } from "@/components/warning-list";
import { formatDuration } from "@/lib/format";
import { LeftOut } from "./left-out";

interface ReportProps {
	site: SiteView;
	done: Done<ServerExportReport, ExportServerForm>;
}

/** What came of a server export, on the server and on this computer. */
export function Report({ site, done }: ReportProps) {
	const { t } = useTranslation("exportServer");
	const backend = useBackend();
	const { outcome, saving } = done.report;
	// The operation has no mere check; only the shared type knows one.
	if (outcome.status === "checked") return null;
	const warnings = outcome.status === "writtenWithWarnings" ? outcome.messages : [];
	const missing = saving !== null && saving.kind !== "saved";
	const about = { site: site.name, took: formatDuration(done.took) };
	const title = missing
		? t("notSaved", about)
		: warnings.length > 0
			? t("warnings", { ...about, count: warnings.length })
			: t(saving === null ? "written" : "saved", about);
	return (
		<Stack>
			<Outcome outcome={missing || warnings.length > 0 ? "warnings" : "succeeded"} title={title}>
				<DoneAt at={done.at} />
				{saving === null ? null : (
					<SavedFile
						saving={saving}
						saveAgain={() => backend.saveStoredExport(site.id, crypto.randomUUID(), outcome.location)}
					/>
				)}
				{missing ? <Text size="sm">{t("stored")}</Text> : null}
				<CopyField label={t("file")} value={outcome.location} />
				<WarningList title={t("warningsTitle")} messages={warnings} />
			</Outcome>
			<LeftOut />
		</Stack>
	);
}
