import { Text, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Fate, KeepRules, Reason } from "@/bridge";
import { joined } from "@/messages/isolated";

interface KeptBecauseProps {
	fate: Fate;
	keep: KeepRules;
}

/** Rules that keep a set, or that none does. Each has a tooltip with the full rule, also by keyboard. */
export function KeptBecause({ fate, keep }: KeptBecauseProps) {
	const { t } = useTranslation("plans");
	if (fate.kind === "removed") return <Text component="span">{t("kept.removed")}</Text>;
	const short = (reason: Reason) =>
		"number" in reason ? t(`kept.${reason.kind}`, { number: reason.number }) : t(`kept.${reason.kind}`);
	const rule = (reason: Reason) => {
		if (reason.kind === "within") return t("keptRule.within", { count: keep.withinDays ?? 0 });
		if (!("number" in reason)) return t(`keptRule.${reason.kind}`);
		return t(`keptRule.${reason.kind}`, { number: reason.number, rule: keep[reason.kind] ?? reason.number });
	};
	const rules = fate.reasons.map((reason) => (
		<span key={reason.kind} style={{ display: "block" }}>
			<strong>{`${short(reason)}:`}</strong> {rule(reason)}
		</span>
	));
	return (
		<Tooltip label={rules} multiline maw={320}>
			<Text component="span" tabIndex={0} td="underline dotted" style={{ textUnderlineOffset: 3 }}>
				{joined(fate.reasons.map(short), ", ")}
			</Text>
		</Tooltip>
	);
}
