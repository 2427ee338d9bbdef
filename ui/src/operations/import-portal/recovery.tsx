import { useTranslation } from "react-i18next";
import { LoadingRows } from "@/components/notice";
import { FactList } from "@/components/outcome";
import { RecoveryNotice } from "@/components/recovery-notice";
import { KeptProof } from "@/components/site-back";
import type { RecoveryProps } from "@/lib/operation-ui";
import { usePortalImportReport } from "@/lib/queries/site";
import { Proof, UndoPortalImport } from "./undo";

/** Recovery of an import: comparison with the export, and undo if there is a safety backup. */
export function Recovery({ entry, site }: RecoveryProps) {
	const { t } = useTranslation("importPortal");
	const hasReport = entry.outcome === "succeeded" || entry.outcome === "warnings";
	const report = usePortalImportReport(hasReport ? entry.id : null);
	if (report.isLoading) return <LoadingRows rows={2} height={20} />;
	if (!hasReport && !entry.hasSafetyBackup) return null;
	return (
		<>
			{report.data?.back ? <KeptProof site={site} proof={report.data.back} /> : null}
			<RecoveryNotice title={t("recovery.title")} text={t("recovery.what")}>
				<FactList>
					{report.data ? <Proof site={site} record={entry.id} proof={report.data.proof} /> : null}
					{entry.hasSafetyBackup ? (
						<UndoPortalImport
							site={site}
							record={entry.id}
							{...(report.data?.safetyBackup ? { safetyBackup: report.data.safetyBackup } : {})}
						/>
					) : null}
				</FactList>
			</RecoveryNotice>
		</>
	);
}
