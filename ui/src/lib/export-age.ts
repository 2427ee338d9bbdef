import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, SiteView } from "@/bridge";
import { joined } from "@/messages/isolated";
import { formatAgo, formatTime } from "./format";

/** An export that no plan repeats is old then. */
const week = 7 * 86_400_000;

interface ExportAge {
	tone: "warnings" | null;
	/** The age, and by when a plan had a newer one. */
	below: string;
}

/** Returns how old an export is, and whether that is too old: by the plan that repeats it, where there is one. */
export function useExportAge(): (site: SiteView, at: Millis, expectedBy: Millis | null) => ExportAge {
	const { t } = useTranslation("sites");
	return useCallback(
		({ environment }, at, expectedBy) => {
			const now = Date.now();
			const isLate = expectedBy !== null && now > expectedBy;
			const isOld = expectedBy === null ? environment !== "practice" && now - at > week : isLate;
			const expected = isLate ? t("plan.expected", { at: formatTime(expectedBy) }) : "";
			return {
				tone: isOld ? "warnings" : null,
				below: joined([formatAgo(at), expected].filter(Boolean), " · "),
			};
		},
		[t],
	);
}
