import type { ImportReport, MachineStart, ReportMessage } from "@/bridge";
import { didNotStart, isDoubtful } from "@/lib/service-state";

/** Worst first. */
export const severities = ["error", "failed", "warning", "note"] as const;

/** Levels of servers' logs above WARNING. */
const errors: readonly string[] = ["SEVERE", "ERROR", "FATAL"];

export type Severity = (typeof severities)[number];

/** Beside an earlier report: only here, in both, only there. */
export const changes = ["new", "same", "gone"] as const;
export type Change = (typeof changes)[number];

export interface Line {
	/** The same each time that the report is shown: marks are kept under it. */
	id: string;
	source: string;
	severity: Severity;
	message: ReportMessage;
	/** Everything that stands in it, in small letters: tens of thousands are searched at every key press. */
	text: string;
	/** `null` while nothing is compared. */
	change: Change | null;
}

export interface Filter {
	search: string;
	severities: readonly Severity[];
	changes: readonly Change[];
	/** `null`: all of them. */
	source: string | null;
	machine: string | null;
}

export const everything: Filter = { search: "", severities, changes, source: null, machine: null };

/** Every message of a report, worst first, in the report's order among equals. */
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

/** Whether there is anything in a report. */
export function hasMessages({ sources }: ImportReport): boolean {
	return sources.some(({ messages }) => messages.length > 0);
}

/** What a line is about, in a few words; empty where the server sent none. */
export function titleOf({ message }: Line): string {
	return message.service?.service || message.message.trim();
}

/** Why, where the title does not say it. */
export function reasonOf({ message }: Line): string {
	return message.service ? message.service.message || message.message : "";
}

export function machinesIn(line: Line): MachineStart[] {
	return line.message.service?.machines ?? [];
}

/** What the filters offer: counted once, and not at every key press. */
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

/** The lines that a filter leaves: all of them, as they are, where it narrows nothing. */
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

/** Whether the line is something to do, which can be marked as done. */
export function isOpenMatter({ severity, change }: Line): boolean {
	return severity !== "note" && change !== "gone";
}

export function rank({ severity }: Pick<Line, "severity">): number {
	return severities.indexOf(severity);
}

/**
 * An unknown level is a warning: what is not understood must not look harmless. The program has the same rules
 * (`import_report.rs`); both have the cases of `tests/fixtures/severities.json`.
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
