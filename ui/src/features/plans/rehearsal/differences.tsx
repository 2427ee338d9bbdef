import { List } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Outcome, RehearsalDifference, RehearsalVerdict, StepState } from "@/bridge";
import type { Tone } from "@/components/notice";

/** What differs between the site of a set and the test site, one line each. */
export function Differences({ differences }: { differences: readonly RehearsalDifference[] }) {
	const { t } = useTranslation("common", { keyPrefix: "receipt" });
	return (
		<List spacing={4}>
			{differences.map(({ part, about, set, test }) => (
				<List.Item key={`${part} ${about}`}>
					{t(`difference.${about}`, { part, set: set || t("valueUnknown"), test: test || t("valueUnknown") })}
				</List.Item>
			))}
		</List>
	);
}

/** Outcome whose icon a step has. One that was not tried has none of success. */
export const stepOutcome: Record<StepState, Outcome> = {
	back: "succeeded",
	backBut: "warnings",
	notKnown: "unknown",
	notBack: "warnings",
	skipped: "notSent",
	notPossible: "notSent",
	changed: "failed",
	open: "notSent",
	importing: "sent",
	comingBack: "sent",
	otherFile: "warnings",
	undone: "notSent",
	failed: "failed",
	unknown: "unknown",
};

/** Tone of a verdict. */
export const verdictTone: Record<RehearsalVerdict, Tone> = {
	back: "succeeded",
	backBut: "warnings",
	notKnown: "unknown",
	notBack: "warnings",
	incomplete: "warnings",
	failed: "failed",
};
