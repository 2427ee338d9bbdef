import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportPortalForm, PortalImportReport, SiteView } from "@/bridge";
import { ChangesByImport } from "@/components/changes-since";
import { DoneAt } from "@/components/done-at";
import { ImportFacts } from "@/components/import-parts";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { ProofList } from "@/components/proof-lines";
import { BackAfterImport } from "@/components/site-back";
import { formatDuration } from "@/lib/format";
import { useUndo } from "@/lib/queries/history";
import { useSession } from "@/lib/queries/program";
import { differs, outcomeOf, Proof, Remarks, UndoPortalImport } from "./undo";

export function Report({ site, done }: { site: SiteView; done: Done<PortalImportReport, ImportPortalForm> }) {
	const { t } = useTranslation("importPortal");
	const { report, record, form } = done;
	const took = formatDuration(done.took);
	const isSignedOut = useSession(site).data === null;
	const isUndone = useUndo(site.id, "import_portal", record) !== null;
	if (report.checkOnly) {
		return (
			<Outcome outcome={outcomeOf(report)} title={t("checked", { location: form.location })}>
				<DoneAt at={done.at} />
				<Text>{t("checkedNote")}</Text>
				<Remarks report={report} />
			</Outcome>
		);
	}
	const title = () => {
		if (isUndone) return "importedUndone";
		if (differs(report)) return "importedDiffers";
		return report.warned ? "importedWarned" : "imported";
	};
	return (
		<Stack gap="lg">
			<BackAfterImport
				site={site}
				record={isUndone ? null : record}
				facts={<ImportFacts done={done} file={form.location} />}
				outcome={{ outcome: outcomeOf(report), title: t(title(), { site: site.name, took }) }}
			>
				{isSignedOut ? <Text>{t("signInAgain")}</Text> : null}
				<Remarks report={report} />
				<ProofList>
					{/* The counts of an undone import are in the history. */}
					{isUndone ? null : <Proof site={site} record={record} proof={report.proof} />}
					{report.safetyBackup && record ? (
						<UndoPortalImport site={site} record={record} safetyBackup={report.safetyBackup} />
					) : null}
				</ProofList>
			</BackAfterImport>
			<ChangesByImport site={site} record={record} />
		</Stack>
	);
}
