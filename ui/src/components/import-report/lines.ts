import type { ImportReport, MachineStart, ReportMessage } from "@/bridge";
import { didNotStart, isDoubtful } from "@/lib/service-state";

/** Severities of the lines of a report, the worst first. */
export const severities = ["error", "failed", "warning", "note"] as const;

/** Levels above WARNING in server logs. */
const errors: readonly string[] = ["SEVERE", "ERROR", "FATAL"];

export type Severity = (typeof severities)[number];

/** Comparison with an earlier report: only in this one, in both, only in the earlier one. */
export const changes = ["new", "same", "gone"] as const;
export type Change = (typeof changes)[number];

export interface Line {
	/** Stable for a report: checklist marks are stored under it. */
	id: string;
	source: string;
	severity: Severity;
	message: ReportMessage;
	/** All text of the line in lower case: tens of thousands of lines are searched on each key press. */
	text: string;
	/** `null` without a comparison. */
	change: Change | null;
}

export interface Filter {
	search: string;
	severities: readonly Severity[];
	changes: readonly Change[];
	/** `null` for all. */
	source: string | null;
	machine: string | null;
}

export const everything: Filter = { search: "", severities, changes, source: null, machine: null };

/** Returns the messages of a report, the worst first; equal ones keep their order. */
export function linesOf(report: ImportReport): Line[] {
	return report.sources
		.flatMap(({ source, messages }, place) =>
			messages.map((message, index) => ({
				id: `${place}.${index}`,
				source,
				severity: severityOf(message),
				message,
				text: textOf(source, message).toLowerCase(),
				change: null,
			})),
		)
		.sort((one, other) => rank(one) - rank(other));
}

export function hasMessages({ sources }: ImportReport): boolean {
	return sources.some(({ messages }) => messages.length > 0);
}

/** Returns a short title; empty if the server sent no text. */
export function titleOf({ message }: Line): string {
	return message.service?.service || message.message.trim();
}

/** Returns the reason, unless the title states it. */
export function reasonOf({ message }: Line): string {
	return message.service ? message.service.message || message.message : "";
}

export function machinesIn(line: Line): MachineStart[] {
	return line.message.service?.machines ?? [];
}

/** Counts and options of the filters, computed once instead of on each key press. */
export interface Facts {
	severities: Record<Severity, number>;
	changes: Record<Change, number>;
	sources: string[];
	machines: string[];
}

export function factsOf(lines: readonly Line[]): Facts {
	const counts = { error: 0, failed: 0, warning: 0, note: 0 };
	const changed = { new: 0, same: 0, gone: 0 };
	const sources = new Set<string>();
	const machines = new Set<string>();
	for (const line of lines) {
		counts[line.severity] += 1;
		if (line.change) changed[line.change] += 1;
		if (line.source !== "") sources.add(line.source);
		for (const machine of names(line)) machines.add(machine);
	}
	return { severities: counts, changes: changed, sources: [...sources], machines: [...machines].sort() };
}

/** Returns the lines that match a filter. Without an effective filter, the same array is returned. */
export function matching(lines: readonly Line[], filter: Filter): readonly Line[] {
	const { source, machine } = filter;
	const search = filter.search.trim().toLowerCase();
	const everyLevel = filter.severities.length === severities.length && filter.changes.length === changes.length;
	if (everyLevel && search === "" && source === null && machine === null) return lines;
	return lines.filter((line) => {
		if (!filter.severities.includes(line.severity)) return false;
		if (line.change !== null && !filter.changes.includes(line.change)) return false;
		if (source !== null && line.source !== source) return false;
		if (machine !== null && !names(line).includes(machine)) return false;
		return line.text.includes(search);
	});
}

/** Whether the line is a task that can be marked as done. */
export function isOpenMatter({ severity, change }: Line): boolean {
	return severity !== "note" && change !== "gone";
}

export function rank({ severity }: Pick<Line, "severity">): number {
	return severities.indexOf(severity);
}

/**
 * Returns the severity of a message. Unknown levels are warnings, so that they do not look harmless.
 *
 * `import_report.rs` has the same rules; both are tested with `tests/fixtures/severities.json`.
 */
export function severityOf(message: ReportMessage): Severity {
	if (didNotStart(message)) return "failed";
	const level = message.level.trim().toUpperCase();
	if (errors.includes(level)) return "error";
	return level === "INFO" && !isDoubtful(message) ? "note" : "warning";
}

function names(line: Line): string[] {
	return machinesIn(line).map(({ machine }) => machine);
}

function textOf(source: string, { level, message: text, service }: ReportMessage): string {
	const reports = service?.machines.flatMap(({ machine, state, reports }) => [
		machine,
		state,
		...reports.map((report) => report.message),
	]);
	return [source, level, text, service?.service, service?.state, service?.message, ...(reports ?? [])].join("\n");
}

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
