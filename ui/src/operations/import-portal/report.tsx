import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportPortalForm, PortalImportReport, SiteView } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { formatDuration } from "@/lib/format";
import { useUndo } from "@/lib/queries/history";
import { useSession } from "@/lib/queries/session";
import { differs, outcomeOf } from "./outcome";
import { Proof } from "./proof";
import { Remarks } from "./remarks";
import { UndoPortalImport } from "./undo";

export function Report({ site, done }: { site: SiteView; done: Done<PortalImportReport, ImportPortalForm> }) {
	const { t } = useTranslation("importPortal");
	const { report, record, form } = done;
	const took = formatDuration(done.took);
	const isSignedOut = useSession(site).data === null;
	const isUndone = useUndo(site.id, "import_portal", record) !== null;
	if (report.checkOnly) {
		return (
			<Outcome outcome={outcomeOf(report)} title={t("checked", { location: form.location })}>
				<Text>{t("checkedNote")}</Text>
				<Remarks report={report} />
			</Outcome>
		);
	}
	const title = differs(report) ? "importedDiffers" : report.warned ? "importedWarned" : "imported";
	return (
		<Stack gap="lg">
			{/* The counts of an undone import are in the history. */}
			{isUndone ? null : (
				<>
					<Outcome outcome={outcomeOf(report)} title={t(title, { site: site.name, took })}>
						<DoneAt at={done.at} />
						{isSignedOut ? <Text>{t("signInAgain")}</Text> : null}
						<Remarks report={report} />
					</Outcome>
					<Proof site={site} record={record} proof={report.proof} />
				</>
			)}
			{report.safetyBackup && record ? (
				<UndoPortalImport site={site} record={record} safetyBackup={report.safetyBackup} />
			) : null}
		</Stack>
	);
}
