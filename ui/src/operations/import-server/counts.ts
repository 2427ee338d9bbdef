import { useTranslation } from "react-i18next";
import type { ImportReport, ReportCounts } from "@/bridge";
import type { OutcomeName } from "@/components/outcome";
import { saysSuccess } from "@/lib/says-success";

/** A server calls an import with services down a success; nobody else should. */
export function outcomeOf({ status, counts: { errors, failedServices, warnings } }: ImportReport): OutcomeName {
	if (!saysSuccess(status)) return "failed";
	return errors + failedServices + warnings > 0 ? "warnings" : "succeeded";
}

/** "2 services did not start · 4 notes": what there is, worst first. */
export function useCounts({ errors, failedServices, warnings, notes }: ReportCounts): string {
	const { t } = useTranslation("importServer");
	const parts = [
		errors > 0 ? t("countErrors", { count: errors }) : null,
		failedServices > 0 ? t("countFailed", { count: failedServices }) : null,
		warnings > 0 ? t("countWarnings", { count: warnings }) : null,
		notes > 0 ? t("countNotes", { count: notes }) : null,
	].filter((part) => part !== null);
	// A line may end with the dot, and never begins with it.
	return parts.length > 0 ? parts.join("\u00a0· ") : t("emptyReport");
}
