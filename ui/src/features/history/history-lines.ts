import type { BatchId, DamagedEntry, HistoryBatch, HistoryEntry, Millis, Outcome, RecordId, SiteId } from "@/bridge";
import { outcomeNow } from "@/lib/history-text";

export const columns = ["time", "outcome", "operation", "site", "who", "summary"] as const;

/** Heading of a day. `count` is `null` until all entries of the day are read. */
export interface DayLine {
	kind: "day";
	at: Millis;
	count: number | null;
}

export interface DamagedLine {
	kind: "damaged";
	damaged: DamagedEntry;
}

/** Row of a batch. `entry` is its newest entry that matches the search. */
export interface BatchLine {
	kind: "batch";
	entry: HistoryEntry;
	batch: HistoryBatch;
	isOpen: boolean;
}

/** Number of unsent requests of an expanded batch. */
export interface UnsentLine {
	kind: "unsent";
	batch: BatchId;
	count: number;
}

/** Line of the list: heading of a day, entry, batch, part of a batch, or damaged entries. */
export type Line =
	| DayLine
	| { kind: "entry"; entry: HistoryEntry }
	| BatchLine
	| { kind: "item"; entry: HistoryEntry; batch: BatchId }
	| UnsentLine
	| DamagedLine;

/** Returns the height of a line in pixels. An entry has one or two lines of text. */
export function heightOf(line: Line | undefined): number {
	if (line?.kind === "entry" && !hasSecondLine(line.entry)) return 32;
	return heights[line?.kind ?? "entry"];
}

/** Whether an entry has more to show than its success, which the icon shows. */
export function hasSecondLine({ outcome, isResolved, summary, noteParts, reason }: HistoryEntry): boolean {
	return outcome !== "succeeded" || isResolved || summary !== null || noteParts.length > 0 || reason !== "";
}

const heights: Record<Line["kind"], number> = {
	day: 28,
	entry: 48,
	batch: 48,
	item: 26,
	unsent: 26,
	damaged: 32,
};

/** Returns the ID of a row; `null` if it cannot be opened. */
export function idOf(line: Line | undefined): RecordId | BatchId | null {
	switch (line?.kind) {
		case "entry":
		case "item":
			return line.entry.id;
		case "batch":
			return line.batch.id;
		default:
			return null;
	}
}

/** Returns a key that does not change when newer entries are added above. */
export function keyOf(line: Line): string {
	if (line.kind === "damaged") return `damaged ${line.damaged.id ?? line.damaged.after}`;
	if (line.kind === "unsent") return `unsent ${line.batch}`;
	return idOf(line) ?? (line.kind === "day" ? new Date(line.at).toDateString() : "");
}

export interface Listed {
	entries: readonly HistoryEntry[];
	batches: readonly HistoryBatch[];
	damaged: readonly DamagedEntry[];
	/** Whether older entries exist that are not read yet. */
	more: boolean;
	/** Entries of expanded batches; `null` while they are read. */
	opened: ReadonlyMap<BatchId, readonly HistoryEntry[] | null>;
}

interface ListedNow extends Listed {
	/** Sites with running operations. */
	busy: ReadonlySet<SiteId>;
}

/**
 * Returns the lines of the list: entries below the heading of their day, and damaged ones after the entry that they
 * follow.
 */
export function linesOf({ entries, batches, damaged, more, opened, busy }: ListedNow): Line[] {
	const byId = new Map(batches.map((batch) => [batch.id, batch]));
	const shown = new Set<BatchId>();
	const damagedAfter = (entry: RecordId | null): Line[] =>
		damaged.filter(({ after }) => after === entry).map((one) => ({ kind: "damaged", damaged: one }));
	const lines = damagedAfter(null);
	let day: DayLine | null = null;
	for (const entry of entries) {
		const at = entry.startedAt;
		const batch = entry.batch === null ? undefined : byId.get(entry.batch);
		if (!batch || !shown.has(batch.id)) {
			if (day === null || new Date(day.at).toDateString() !== new Date(at).toDateString()) {
				day = { kind: "day", at, count: 0 };
				lines.push(day);
			}
			lines.push(
				...(batch ? linesOfBatch(entry, batch, opened.get(batch.id), busy) : [{ kind: "entry", entry } as const]),
			);
			if (batch) shown.add(batch.id);
		}
		if (day) day.count = (day.count ?? 0) + 1;
		lines.push(...damagedAfter(entry.id));
	}
	if (day && more) day.count = null;
	return lines;
}

function linesOfBatch(
	entry: HistoryEntry,
	batch: HistoryBatch,
	held: readonly HistoryEntry[] | null | undefined,
	busy: ReadonlySet<SiteId>,
): Line[] {
	const head: BatchLine = { kind: "batch", entry, batch, isOpen: held !== undefined };
	if (!held) return [head];
	// The remaining requests of a running batch can still be sent.
	const unsent = busy.has(entry.site) ? 0 : batch.size - held.length;
	const isFine = ({ outcome }: HistoryEntry) => Number(outcome === "succeeded");
	return [
		head,
		// Entries without success first; otherwise in the order in which they were sent.
		...[...held]
			.reverse()
			.sort((one, other) => isFine(one) - isFine(other))
			.map((entry): Line => ({ kind: "item", entry, batch: batch.id })),
		...(unsent > 0 ? [{ kind: "unsent" as const, batch: batch.id, count: unsent }] : []),
	];
}

/** Counts the completed requests of a batch, including those with warnings. */
export function completed({ outcomes }: HistoryBatch): number {
	return outcomes.reduce((sum, { outcome, count }) => (isCompleted(outcome) ? sum + count : sum), 0);
}

const isCompleted = (outcome: Outcome) => outcome === "succeeded" || outcome === "warnings";

/** Returns the outcome to show for a batch. `entry`: one of its entries. */
export function outcomeOfBatch(batch: HistoryBatch, entry: HistoryEntry, busy: ReadonlySet<SiteId>): Outcome {
	return outcomeNow({ ...entry, outcome: recordedOutcome(batch) }, busy);
}

function recordedOutcome(batch: HistoryBatch): Outcome {
	const has = (outcome: Outcome) => batch.outcomes.some((one) => one.outcome === outcome);
	for (const outcome of ["sent", "unknown"] as const) if (has(outcome)) return outcome;
	if (completed(batch) === 0) return has("failed") ? "failed" : "notSent";
	return completed(batch) < batch.size || has("warnings") ? "warnings" : "succeeded";
}
