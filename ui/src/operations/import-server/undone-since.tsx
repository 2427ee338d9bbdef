import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "@/bridge";
import { Outcome } from "@/components/outcome";
import { formatTime } from "@/lib/format";
import { useImportReport } from "@/lib/queries/history";
import { useTargetName } from "@/lib/target-name";
import { Undone } from "./undone";

/** State after an import was undone. The counts are omitted if the undo has no report. */
export function UndoneSince({ undone }: { undone: HistoryEntry }) {
	const { t } = useTranslation("run");
	const target = useTargetName()(undone);
	const report = useImportReport(undone.hasReport ? undone.id : null);
	if (undone.hasReport && report.isPending) return null;
	const at = undone.endedAt ?? undone.startedAt;
	if (report.data) {
		const { site, server } = undone;
		return <Undone server={{ site, server }} target={target} report={report.data} record={undone.id} at={at} />;
	}
	const outcome = undone.outcome === "succeeded" ? "succeeded" : "warnings";
	return <Outcome outcome={outcome} title={t("undoImport.before", { at: formatTime(at) })} />;
}
