import type { BatchItemResult, BatchResult, RecordId, RunResult } from "@/bridge";

export type OneOrBatch<T> = { kind: "one"; report: T } | { kind: "batch"; report: BatchResult<T> };

export function asOne<T>(ended: RunResult<T>): RunResult<OneOrBatch<T>> {
	return ended.kind === "done" ? { ...ended, report: { kind: "one", report: ended.report } } : ended;
}

export function asSeveral<T>(ended: RunResult<BatchResult<T>>): RunResult<OneOrBatch<T>> {
	return ended.kind === "done" ? { ...ended, report: { kind: "batch", report: ended.report } } : ended;
}

const ranks: Record<BatchItemResult<unknown>["kind"], number> = { unknown: 0, rejected: 1, notSent: 2, done: 3 };

const rankOf = (part: BatchItemResult<unknown>) =>
	part.kind === "done" && part.outcome === "succeeded" ? 4 : ranks[part.kind];

/** Pairs each item of a batch with its result, the worst result first. */
export function worstFirst<T, F>(
	asked: readonly F[],
	parts: readonly BatchItemResult<T>[],
): { asked: F; part: BatchItemResult<T> }[] {
	return asked
		.flatMap((one, at) => {
			const part = parts[at];
			return part ? [{ asked: one, part }] : [];
		})
		.sort((one, other) => rankOf(one.part) - rankOf(other.part));
}

/** Returns the items that certainly had no effect and can be sent again. */
export function mayBeSentAgain<T, F>(asked: readonly F[], parts: readonly BatchItemResult<T>[]): F[] {
	return asked.filter((_, at) => parts[at]?.kind === "rejected" || parts[at]?.kind === "notSent");
}

/**
 * Returns the history entries of a run: one, or one for each item of a batch that had an effect or might have had one.
 * An entry is `null` if it could not be written.
 */
export function recordsOf({ record, report }: { record: RecordId | null; report: OneOrBatch<unknown> }) {
	if (report.kind === "one") return [record];
	return report.report.parts.flatMap((part) => (part.kind === "done" || part.kind === "unknown" ? [part.record] : []));
}
