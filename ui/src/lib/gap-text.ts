import { useTranslation } from "react-i18next";
import type { Gap } from "@/bridge";

/**
 * Returns a function that describes what a site left out of a list. `of`: folder or collaboration; empty for the whole
 * list.
 */
export function useGapText(): (gap: Gap, of: string) => string {
	const { t } = useTranslation("common", { keyPrefix: "gap" });
	return (gap, of) =>
		gap.kind === "cut"
			? t("cut", { listed: gap.listed, total: gap.total })
			: of
				? t("notListedOf", { of, reason: gap.reason })
				: t("notListed", { reason: gap.reason });
}
