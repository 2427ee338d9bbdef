import type { ImportReport, ReportMessage } from "@/bridge";

/** Worst first. */
export const severities = ["failed", "warning", "note"] as const;
export type Severity = (typeof severities)[number];

export interface Line {
	id: string;
	source: string;
	severity: Severity;
	message: ReportMessage;
	/** Everything that stands in it, in small letters: tens of thousands are searched at every key press. */
	text: string;
}

/** What is drawn below another: a source's name, then its lines. */
export type Row = { kind: "source"; id: string; source: string } | { kind: "line"; id: string; line: Line };

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
			.map((message, index) => ({
				id: `${place}.${index}`,
				source,
				severity: severityOf(message),
				message,
				text: textOf(source, message).toLowerCase(),
			}))
			.sort((one, other) => rank(one) - rank(other)),
	);
}

export function machinesOf(lines: readonly Line[]): string[] {
	return [...new Set(lines.flatMap(machines))].sort();
}

export function matches(line: Line, filter: Filter): boolean {
	if (!filter.severities.includes(line.severity)) return false;
	if (filter.source !== null && line.source !== filter.source) return false;
	if (filter.machine !== null && !machines(line).includes(filter.machine)) return false;
	return line.text.includes(filter.search.trim().toLowerCase());
}

/** Sources in the report's order, those with the worst lines first, each followed by its lines. */
export function rowsOf(lines: readonly Line[]): Row[] {
	const sources = new Map<string, Line[]>();
	for (const line of lines) {
		const known = sources.get(line.source);
		if (known) known.push(line);
		else sources.set(line.source, [line]);
	}
	// No spreading into Math.min: a source may hold more lines than a call may have arguments.
	const worst = (of: readonly Line[]) =>
		of.reduce<number>((least, line) => Math.min(least, rank(line)), severities.length);
	return [...sources]
		.sort(([, one], [, other]) => worst(one) - worst(other))
		.flatMap(([source, ofSource]) => [
			{ kind: "source", id: `source ${source}`, source } as const,
			...ofSource.map((line) => ({ kind: "line", id: line.id, line }) as const),
		]);
}

function rank({ severity }: Pick<Line, "severity">): number {
	return severities.indexOf(severity);
}

/** A level that nobody knows is a warning: what is not understood must not look harmless. */
function severityOf({ level, service }: ReportMessage): Severity {
	if (service && ["FAILED", "STOPPED"].includes(service.state.toUpperCase())) return "failed";
	return level.toUpperCase() === "INFO" ? "note" : "warning";
}

function machines({ message }: Line): string[] {
	return message.service?.machines.map(({ machine }) => machine) ?? [];
}

function textOf(source: string, { level, message: text, service }: ReportMessage): string {
	const reports = service?.machines.flatMap(({ machine, state, reports }) => [
		machine,
		state,
		...reports.map((report) => report.message),
	]);
	return [source, level, text, service?.service, service?.state, service?.message, ...(reports ?? [])].join("\n");
}
