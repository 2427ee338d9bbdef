import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, SiteView } from "@/bridge";
import { dotted } from "@/messages/isolated";
import { formatAgo, formatTime } from "./format";

/** Age after which an export outside of any plan is shown as old, in milliseconds. */
const week = 7 * 86_400_000;

interface ExportAge {
	tone: "warnings" | null;
	/** Age, and the time at which the next export was expected if it is overdue. */
	below: string;
}

/**
 * Returns a function that rates the age of an export: overdue by its plan, or older than a week without a plan.
 * `expectedBy`: `null` without a plan.
 */
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
				below: dotted(formatAgo(at), expected),
			};
		},
		[t],
	);
}
