import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type HistoryEntry, type SiteView, useBackend } from "@/bridge";
import { Outcome } from "@/components/outcome";
import { Undone } from "@/components/undone";
import { formatTime } from "@/lib/format";

/** What holds after an import was undone. Without its report there is nothing to count. */
export function UndoneSince({ site, undone }: { site: SiteView; undone: HistoryEntry }) {
	const { t } = useTranslation("run");
	const backend = useBackend();
	const report = useQuery({
		queryKey: ["report", undone.id],
		queryFn: () => backend.importReport(undone.id),
		staleTime: Number.POSITIVE_INFINITY,
		enabled: undone.hasReport,
	});
	if (undone.hasReport && report.isPending) return null;
	const at = undone.endedAt ?? undone.startedAt;
	if (report.data) return <Undone site={site} counts={report.data.counts} record={undone.id} at={at} />;
	const outcome = undone.outcome === "succeeded" ? "succeeded" : "warnings";
	return <Outcome outcome={outcome} title={t("undoImport.before", { at: formatTime(at) })} />;
}
