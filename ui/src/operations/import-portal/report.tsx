import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportPortalForm, PortalImportReport, SiteView } from "@/bridge";
import { ChangesByImport } from "@/components/changes-since";
import { DoneAt } from "@/components/done-at";
import type { Done } from "@/components/operation-screen";
import { Fact, Outcome } from "@/components/outcome";
import { ProofList } from "@/components/proof-lines";
import { BackAfterImport } from "@/components/site-back";
import { Exact } from "@/components/text";
import { formatDateTime, formatDuration, formatTimeOfDay } from "@/lib/format";
import { useRecord, useUndo } from "@/lib/queries/history";
import { useSession } from "@/lib/queries/program";
import { dotted } from "@/messages/isolated";
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
				facts={<ImportFacts done={done} />}
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

/** When and by whom the import was made, and its file. */
function ImportFacts({ done }: { done: Done<PortalImportReport, ImportPortalForm> }) {
	const { t } = useTranslation("siteProof", { keyPrefix: "imported" });
	const entry = useRecord(done.record).data?.entry;
	const startedAt = done.at - done.took;
	const span = t("fromTo", { from: formatDateTime(startedAt), to: formatTimeOfDay(done.at) });
	return (
		<>
			<Fact name={t("title")}>
				<Exact at={done.at} words={dotted(span, entry?.username ?? "", entry?.reason ?? "")} />
			</Fact>
			<Fact name={t("file")}>{done.form.location}</Fact>
		</>
	);
}
