import type { ImportReport, ReportMessage } from "@/bridge";

/** Worst first. */
export const severities = ["failed", "warning", "note"] as const;
export type Severity = (typeof severities)[number];

export interface Line {
	id: string;
	source: string;
	severity: Severity;
	message: ReportMessage;
}

export interface Filter {
	search: string;
	severities: readonly Severity[];
	/** `null`: all of them. */
	source: string | null;
	machine: string | null;
}

/** Every message of a report, source by source, the worst of each first. */
export function linesOf(report: ImportReport): Line[] {
	return report.sources.flatMap(({ source, messages }, place) =>
		messages
			.map((message, index) => ({ id: `${place}.${index}`, source, severity: severityOf(message), message }))
			.sort((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity)),
	);
}

export function machinesOf(lines: readonly Line[]): string[] {
	return [...new Set(lines.flatMap(machines))].sort();
}

export function matches(line: Line, filter: Filter): boolean {
	if (!filter.severities.includes(line.severity)) return false;
	if (filter.source !== null && line.source !== filter.source) return false;
	if (filter.machine !== null && !machines(line).includes(filter.machine)) return false;
	const search = filter.search.trim().toLowerCase();
	return search === "" || textOf(line).toLowerCase().includes(search);
}

/** Sources in the report's order, those with the worst lines first. */
export function bySource(lines: readonly Line[]): [string, Line[]][] {
	const sources = new Map<string, Line[]>();
	for (const line of lines) {
		const known = sources.get(line.source);
		if (known) known.push(line);
		else sources.set(line.source, [line]);
	}
	const worst = (of: readonly Line[]) => Math.min(...of.map(({ severity }) => severities.indexOf(severity)));
	return [...sources].sort(([, one], [, other]) => worst(one) - worst(other));
}

/** A level that nobody knows is a warning: what is not understood must not look harmless. */
function severityOf({ level, service }: ReportMessage): Severity {
	if (service && ["FAILED", "STOPPED"].includes(service.state.toUpperCase())) return "failed";
	return level.toUpperCase() === "INFO" ? "note" : "warning";
}

function machines({ message }: Line): string[] {
	return message.service?.machines.map(({ machine }) => machine) ?? [];
}

function textOf({ source, message }: Line): string {
	const { level, message: text, service } = message;
	const reports = service?.machines.flatMap(({ machine, state, reports }) => [
		machine,
		state,
		...reports.map((report) => report.message),
	]);
	return [source, level, text, service?.service, service?.state, service?.message, ...(reports ?? [])].join("\n");
}
