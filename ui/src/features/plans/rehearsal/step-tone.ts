import type { Outcome, RehearsalVerdict, StepState } from "@/bridge";
import type { Tone } from "@/components/notice";

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
