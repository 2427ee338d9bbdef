import { useTranslation } from "react-i18next";
import { RecoveryNotice } from "@/components/recovery-notice";
import type { RecoveryProps } from "@/lib/operation-ui";
import { useTargetName } from "@/lib/target";
import { UndoImport } from "./undo-import";

export function Recovery({ entry, site }: RecoveryProps) {
	const { t } = useTranslation("history");
	const target = useTargetName()(entry);
	if (!entry.hasSafetyBackup) return null;
	return (
		<RecoveryNotice title={t("details.recovery.undo")} text={t("details.recovery.undoWhat")}>
			<UndoImport site={site} server={entry.server} target={target} record={entry.id} />
		</RecoveryNotice>
	);
}
