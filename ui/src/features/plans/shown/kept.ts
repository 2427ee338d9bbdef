import { useTranslation } from "react-i18next";
import type { Fate } from "@/bridge";
import { formatNumber } from "@/lib/format";
import { joined } from "@/messages/isolated";

/** Returns which rules keep a set, or that none does. */
export function useKept(): (fate: Fate) => string {
	const { t } = useTranslation("plans");
	return (fate) => {
		if (fate.kind === "removed") return t("kept.removed");
		const reasons = fate.reasons.map((reason) =>
			"number" in reason ? t(`kept.${reason.kind}`, { number: formatNumber(reason.number) }) : t(`kept.${reason.kind}`),
		);
		return joined(reasons, " · ");
	};
}
