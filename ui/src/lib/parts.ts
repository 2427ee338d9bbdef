import type { Part } from "@/bridge";

/** Worst first. */
const ranks: Record<Part<unknown>["kind"], number> = { unknown: 0, refused: 1, notSent: 2, done: 3 };

/** Each of several with what was asked, worst first. */
export function worstFirst<T, F>(asked: readonly F[], parts: readonly Part<T>[]): { asked: F; part: Part<T> }[] {
	return asked
		.flatMap((one, at) => {
			const part = parts[at];
			return part ? [{ asked: one, part }] : [];
		})
		.sort((one, other) => ranks[one.part.kind] - ranks[other.part.kind]);
}

/** What certainly had no effect, and may be sent again. */
export function mayBeSentAgain<T, F>(asked: readonly F[], parts: readonly Part<T>[]): F[] {
	return asked.filter((_, at) => parts[at]?.kind === "refused" || parts[at]?.kind === "notSent");
}

/** The end of all of them in one word. */
export function outcomeOf(parts: readonly Part<unknown>[]): "succeeded" | "warnings" | "failed" | "unknown" {
	const done = parts.filter(({ kind }) => kind === "done").length;
	if (parts.some(({ kind }) => kind === "unknown")) return "unknown";
	if (done === parts.length) return "succeeded";
	return done === 0 ? "failed" : "warnings";
}
