import { useMemo, useState } from "react";
import type { HistoryEntry, ImportReport, Problem, RecordId, SiteId } from "@/bridge";
import { useEarlierReports, useImportReport, useRecord } from "@/lib/queries/history";
import { type Line, linesOf, rank } from "./lines";

export interface Comparison {
	/** Site of the report; `null` if unknown. */
	site: SiteId | null;
	/** Earlier imports of the same site, newest first. */
	earlier: readonly HistoryEntry[];
	/** Import to compare with; `null` for none. */
	chosen: RecordId | null;
	choose: (record: RecordId | null) => void;
	/** Whether `lines` includes the comparison. */
	ready: boolean;
	problem: Problem | null;
	/** Lines of the report, with those of the earlier one if it is selected. */
	lines: readonly Line[];
}

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

/** Marks each line as new or same, and adds the lines that only the earlier report has. */
function compared(now: readonly Line[], earlier: readonly Line[]): Line[] {
	const before = new Map<string, Line[]>();
	for (const line of earlier) {
		const equals = before.get(subject(line));
		if (equals) equals.push(line);
		else before.set(subject(line), [line]);
	}
	const lines = now.map((line): Line => {
		// Equal messages are matched one by one.
		const match = before.get(subject(line))?.pop();
		return { ...line, change: match ? "same" : "new" };
	});
	const gone = [...before.values()].flat().map((line): Line => ({ ...line, id: `gone ${line.id}`, change: "gone" }));
	return [...lines, ...gone].sort((one, other) => rank(one) - rank(other));
}

/** Returns the key by which messages are equal: name and state of a service, otherwise level and text. */
function subject({ source, message: { level, message, service } }: Line): string {
	return JSON.stringify(service ? [source, service.service, service.state] : [source, level, message]);
}
