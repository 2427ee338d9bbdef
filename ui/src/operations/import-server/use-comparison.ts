import { useMemo, useState } from "react";
import type { HistoryEntry, ImportReport, Problem, RecordId, SiteId } from "@/bridge";
import { useEarlierReports, useImportReport, useRecord } from "@/lib/queries/history";
import { type Line, linesOf, rank } from "./lines";

export interface Comparison {
	/** The site that the report is of; `null` when that is not known. */
	site: SiteId | null;
	/** Earlier imports of the same site, newest first. */
	earlier: readonly HistoryEntry[];
	/** The one that is compared with. */
	chosen: RecordId | null;
	choose: (record: RecordId | null) => void;
	/** Whether the chosen one is there and its lines stand among these. */
	ready: boolean;
	/** Why the chosen one cannot be read. */
	problem: Problem | null;
	/** The lines of the report; beside the earlier ones when that is chosen. */
	lines: readonly Line[];
}

/** A report, alone or beside an earlier one of the same site. */
export function useComparison(report: ImportReport, record: RecordId | null): Comparison {
	const [chosen, choose] = useState<RecordId | null>(null);
	const own = useRecord(record).data?.entry;
	const earlier = useEarlierReports(own);
	const other = useImportReport(chosen);
	const alone = useMemo(() => linesOf(report), [report]);
	const lines = useMemo(
		() => (chosen !== null && other.data ? compared(alone, linesOf(other.data)) : alone),
		[alone, chosen, other.data],
	);
	return { site: own?.site ?? null, earlier, chosen, choose, ready: lines !== alone, problem: other.error, lines };
}

/** The lines of a report beside those of an earlier one: each is new or the same, and those that are gone stand with them. */
function compared(now: readonly Line[], earlier: readonly Line[]): Line[] {
	const before = new Map<string, Line[]>();
	for (const line of earlier) {
		const equals = before.get(subject(line));
		if (equals) equals.push(line);
		else before.set(subject(line), [line]);
	}
	const lines = now.map((line): Line => {
		// A message that stands there twice is matched twice.
		const match = before.get(subject(line))?.pop();
		return { ...line, change: match ? "same" : "new" };
	});
	const gone = [...before.values()].flat().map((line): Line => ({ ...line, id: `gone ${line.id}`, change: "gone" }));
	return [...lines, ...gone].sort((one, other) => rank(one) - rank(other));
}

/** What makes two messages the same: a service by its name and state, everything else by its words. */
function subject({ source, message: { level, message, service } }: Line): string {
	return JSON.stringify(service ? [source, service.service, service.state] : [source, level, message]);
}
