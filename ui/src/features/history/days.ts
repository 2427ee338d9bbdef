import type { HistoryEntry, Millis } from "@/bridge";

/** A line of the list: the heading of a day, or an entry of it. */
export type Line = { kind: "day"; at: Millis } | { kind: "entry"; entry: HistoryEntry };

/** Stays the same when newer entries come in above the line. */
export function keyOf(line: Line): string {
	return line.kind === "entry" ? line.entry.id : new Date(line.at).toDateString();
}

/** The entries in their order, each day under its heading. */
export function byDay(entries: readonly HistoryEntry[]): Line[] {
	const lines: Line[] = [];
	let day = "";
	for (const entry of entries) {
		const next = new Date(entry.startedAt).toDateString();
		if (next !== day) lines.push({ kind: "day", at: entry.startedAt });
		day = next;
		lines.push({ kind: "entry", entry });
	}
	return lines;
}
