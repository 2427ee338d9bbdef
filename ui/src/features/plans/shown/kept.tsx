import { Text, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Fate, KeepRules, NotRemoved, Reason } from "@/bridge";
import { formatNumber } from "@/lib/format";
import { joined } from "@/messages/isolated";

interface KeptBecauseProps {
	fate: Fate;
	keep: KeepRules;
	/** Why it is still there although no rule keeps it. */
	notRemoved?: NotRemoved | null;
}

/** Rules that keep a set, or that none does. Each has a tooltip with the full rule, also by keyboard. */
export function KeptBecause({ fate, keep, notRemoved }: KeptBecauseProps) {
	const { t } = useTranslation("plans");
	if (notRemoved) {
		const { why } = notRemoved;
		return (
			<Text component="span" c="var(--tone-failed)" mod="anywhere">
				{t(`notRemoved.${why.kind}`, { said: "said" in why ? why.said : "" })}
			</Text>
		);
	}
	if (fate.kind === "removed") return <Text component="span">{t("kept.removed")}</Text>;
	const short = (reason: Reason) =>
		"number" in reason ? t(`kept.${reason.kind}`, { number: formatNumber(reason.number) }) : t(`kept.${reason.kind}`);
	const rule = (reason: Reason) => {
		if (reason.kind === "within") return t("keptRule.within", { count: keep.withinDays ?? 0 });
		if (!("number" in reason)) return t(`keptRule.${reason.kind}`);
		return t(`keptRule.${reason.kind}`, {
			number: formatNumber(reason.number),
			rule: formatNumber(keep[reason.kind] ?? reason.number),
		});
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
