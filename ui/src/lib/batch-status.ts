import type { BatchItemResult, BatchResult, RecordId, RunResult } from "@/bridge";

/** Result of one item, or of a batch. */
export type OneOrBatch<T> = { kind: "one"; report: T } | { kind: "batch"; report: BatchResult<T> };

export function asOne<T>(ended: RunResult<T>): RunResult<OneOrBatch<T>> {
	return ended.kind === "done" ? { ...ended, report: { kind: "one", report: ended.report } } : ended;
}

export function asSeveral<T>(ended: RunResult<BatchResult<T>>): RunResult<OneOrBatch<T>> {
	return ended.kind === "done" ? { ...ended, report: { kind: "batch", report: ended.report } } : ended;
}

/** Worst first. */
const ranks: Record<BatchItemResult<unknown>["kind"], number> = { unknown: 0, rejected: 1, notSent: 2, done: 3 };

/** Each of several with what was asked, worst first. */
export function worstFirst<T, F>(
	asked: readonly F[],
	parts: readonly BatchItemResult<T>[],
): { asked: F; part: BatchItemResult<T> }[] {
	return asked
		.flatMap((one, at) => {
			const part = parts[at];
			return part ? [{ asked: one, part }] : [];
		})
		.sort((one, other) => ranks[one.part.kind] - ranks[other.part.kind]);
}

/** What certainly had no effect, and may be sent again. */
export function mayBeSentAgain<T, F>(asked: readonly F[], parts: readonly BatchItemResult<T>[]): F[] {
	return asked.filter((_, at) => parts[at]?.kind === "rejected" || parts[at]?.kind === "notSent");
}

/** The record of one; of several those that were sent and not refused. `null` for each that could not be written. */
export function recordsOf({ record, report }: { record: RecordId | null; report: OneOrBatch<unknown> }) {
	if (report.kind === "one") return [record];
	return report.report.parts.flatMap((part) => (part.kind === "done" || part.kind === "unknown" ? [part.record] : []));
}

/** The end of all of them in one word. */
export function outcomeOf(parts: readonly BatchItemResult<unknown>[]): "succeeded" | "warnings" | "failed" | "unknown" {
	const done = parts.filter(({ kind }) => kind === "done").length;
	if (parts.some(({ kind }) => kind === "unknown")) return "unknown";
	if (done === parts.length) return "succeeded";
	return done === 0 ? "failed" : "warnings";
}
