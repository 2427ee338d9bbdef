import type { BatchId, DamagedEntry, HistoryBatch, HistoryEntry, Millis, Outcome, RecordId } from "@/bridge";

export const columns = ["time", "outcome", "operation", "site", "who", "summary"] as const;

/** The heading of a day. `count` is `null` while older entries of it were not read yet. */
export interface DayLine {
	kind: "day";
	at: Millis;
	count: number | null;
}

export interface DamagedLine {
	kind: "damaged";
	damaged: DamagedEntry;
}

/** Several requests of one run. `entry` is the newest of them that the search found. */
export interface BatchLine {
	kind: "batch";
	entry: HistoryEntry;
	batch: HistoryBatch;
	isOpen: boolean;
}

/** What an opened batch has beside its entries: requests that were not sent. */
export interface UnsentLine {
	kind: "unsent";
	batch: BatchId;
	count: number;
}

/** A line of the list: the heading of a day, an entry or a batch of it, what a batch holds, or what cannot be read. */
export type Line =
	| DayLine
	| { kind: "entry"; entry: HistoryEntry }
	| BatchLine
	| { kind: "item"; entry: HistoryEntry; batch: BatchId }
	| UnsentLine
	| DamagedLine;

/** Height of a line. An entry has two lines of text, or one if its outcome says all. */
export function heightOf(line: Line | undefined): number {
	if (line?.kind === "entry" && !hasSecondLine(line.entry)) return 32;
	return heights[line?.kind ?? "entry"];
}

/** Whether an entry says more than that it succeeded, which its icon and the details say. */
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

/** What a row is known by; `null` of one that cannot be opened. */
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

/** Stays the same when newer entries come in above the line. */
export function keyOf(line: Line): string {
	if (line.kind === "damaged") return `damaged ${line.damaged.id ?? line.damaged.after}`;
	if (line.kind === "unsent") return `unsent ${line.batch}`;
	return idOf(line) ?? (line.kind === "day" ? new Date(line.at).toDateString() : "");
}

export interface Listed {
	entries: readonly HistoryEntry[];
	batches: readonly HistoryBatch[];
	damaged: readonly DamagedEntry[];
	/** Whether there are older ones that were not read yet. */
	more: boolean;
	/** What the opened batches hold; `null` while it is read. */
	opened: ReadonlyMap<BatchId, readonly HistoryEntry[] | null>;
}

/** The entries in their order, each day under its heading, and what is damaged after the entry that it follows. */
export function linesOf({ entries, batches, damaged, more, opened }: Listed): Line[] {
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
			lines.push(...(batch ? linesOfBatch(entry, batch, opened.get(batch.id)) : [{ kind: "entry", entry } as const]));
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
): Line[] {
	const head: BatchLine = { kind: "batch", entry, batch, isOpen: held !== undefined };
	if (!held) return [head];
	const unsent = batch.size - held.length;
	const isFine = ({ outcome }: HistoryEntry) => Number(outcome === "succeeded");
	return [
		head,
		// What did not succeed first, each kind in the order in which it was sent.
		...[...held]
			.reverse()
			.sort((one, other) => isFine(one) - isFine(other))
			.map((entry): Line => ({ kind: "item", entry, batch: batch.id })),
		...(unsent > 0 ? [{ kind: "unsent" as const, batch: batch.id, count: unsent }] : []),
	];
}

/** How many of a batch were completed, with warnings or without. */
export function completed({ outcomes }: HistoryBatch): number {
	return outcomes.reduce((sum, { outcome, count }) => (isCompleted(outcome) ? sum + count : sum), 0);
}

const isCompleted = (outcome: Outcome) => outcome === "succeeded" || outcome === "warnings";

/** The outcome of a batch as a whole. */
export function outcomeOfBatch(batch: HistoryBatch): Outcome {
	const has = (outcome: Outcome) => batch.outcomes.some((one) => one.outcome === outcome);
	for (const outcome of ["sent", "unknown"] as const) if (has(outcome)) return outcome;
	if (completed(batch) === 0) return has("failed") ? "failed" : "notSent";
	return completed(batch) < batch.size || has("warnings") ? "warnings" : "succeeded";
}
