import type { ImportReport, MachineStart, ReportMessage } from "@/bridge";
import { didNotStart, isDoubtful } from "@/lib/service-state";

/** Worst first. */
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
