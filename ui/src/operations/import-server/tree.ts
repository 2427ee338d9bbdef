import type { MachineStart } from "@/bridge";
import { type Line, machinesIn, type Severity } from "./lines";

/** Position of a row among its siblings, which screen readers announce even if only some rows are rendered. */
interface Place {
	id: string;
	level: 1 | 2 | 3;
	position: number;
	siblings: number;
	/** `null` if the row has no children. */
	open: boolean | null;
}

export type Row = Place &
	(
		| { kind: "source"; source: string; counts: Record<Severity, number> }
		| { kind: "line"; line: Line }
		| { kind: "machine"; line: Line; machine: MachineStart }
	);

/** Rows whose state the user changed. Initially, sources are expanded and services collapsed. */
type Turned = ReadonlySet<string>;

/**
 * Returns the visible rows: sources, below each its lines, and below an expanded service its machines. `lines` must be
 * sorted, the worst first.
 */
export function rowsOf(lines: readonly Line[], turned: Turned): Row[] {
	const sources = new Map<string, Line[]>();
	for (const line of lines) {
		const known = sources.get(line.source);
		if (known) known.push(line);
		else sources.set(line.source, [line]);
	}
	const rows: Row[] = [];
	// Sources are in the order of their worst line.
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
			// A report can list a machine twice.
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

/** Returns the row that a key leads to; `null` for other keys. */
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

/** Returns the parent of a row; a source is its own parent. */
export function parentOf(rows: readonly Row[], at: number): number {
	const level = rows[at]?.level ?? 1;
	for (let above = at - 1; above >= 0; above -= 1) if ((rows[above]?.level ?? 1) < level) return above;
	return at;
}
