import type { MachineStart } from "@/bridge";
import { type Line, machinesIn, type Severity } from "./lines";

/** Where a row stands among its siblings: a screen reader says "2 of 5" although only some are drawn. */
interface Place {
	id: string;
	level: 1 | 2 | 3;
	position: number;
	siblings: number;
	/** `null` for what holds nothing. */
	open: boolean | null;
}

export type Row = Place &
	(
		| { kind: "source"; source: string; counts: Record<Severity, number> }
		| { kind: "line"; line: Line }
		| { kind: "machine"; line: Line; machine: MachineStart }
	);

/** What a person opened or closed, against what is so at first: sources are open, services closed. */
type Turned = ReadonlySet<string>;

/** The visible rows of lines that come worst first: sources, below each its lines, below an open service its machines. */
export function rowsOf(lines: readonly Line[], turned: Turned): Row[] {
	const sources = new Map<string, Line[]>();
	for (const line of lines) {
		const known = sources.get(line.source);
		if (known) known.push(line);
		else sources.set(line.source, [line]);
	}
	const rows: Row[] = [];
	// Lines come worst first, and with them the sources.
	for (const [index, [source, ofSource]] of [...sources].entries()) {
		const id = `source ${source}`;
		const open = !turned.has(id);
		const counts = { error: 0, failed: 0, warning: 0, note: 0 };
		for (const { severity } of ofSource) counts[severity] += 1;
		rows.push({ kind: "source", id, level: 1, position: index + 1, siblings: sources.size, open, source, counts });
		if (open) pushLines(rows, ofSource, turned);
	}
	return rows;
}

function pushLines(rows: Row[], lines: readonly Line[], turned: Turned): void {
	for (const [index, line] of lines.entries()) {
		const machines = machinesIn(line);
		const open = machines.length === 0 ? null : turned.has(line.id);
		rows.push({ kind: "line", id: line.id, level: 2, position: index + 1, siblings: lines.length, open, line });
		if (!open) continue;
		for (const [place, machine] of machines.entries()) {
			// A machine may stand in a report twice.
			const id = `${line.id} ${place}`;
			rows.push({
				kind: "machine",
				id,
				level: 3,
				position: place + 1,
				siblings: machines.length,
				open: null,
				line,
				machine,
			});
		}
	}
}

/** Where the keys lead from a row; `null` for keys that mean nothing here. */
export function step(rows: readonly Row[], from: number, key: string): number | null {
	const last = rows.length - 1;
	switch (key) {
		case "ArrowDown":
			return Math.min(from + 1, last);
		case "ArrowUp":
			return Math.max(from - 1, 0);
		case "PageDown":
			return Math.min(from + 10, last);
		case "PageUp":
			return Math.max(from - 10, 0);
		case "Home":
			return 0;
		case "End":
			return last;
		default:
			return null;
	}
}

/** The row that holds this one; itself for a source. */
export function parentOf(rows: readonly Row[], at: number): number {
	const level = rows[at]?.level ?? 1;
	for (let above = at - 1; above >= 0; above -= 1) if ((rows[above]?.level ?? 1) < level) return above;
	return at;
}
