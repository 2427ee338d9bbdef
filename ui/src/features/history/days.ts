import type { HistoryEntry, Millis } from "@/bridge";

/** A line of the list: the heading of a day, or an entry of it. */
export type Line = { kind: "day"; at: Millis } | { kind: "entry"; entry: HistoryEntry };

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
