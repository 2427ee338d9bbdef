import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type HistoryEntry, type ImportReport, type Problem, type RecordId, type SiteId, useBackend } from "@/bridge";
import { queryKeys, useImportReport } from "@/lib/queries";
import { compared } from "./compare";
import { type Line, linesOf } from "./lines";

/** Imports of one site that are offered to compare with. */
const most = 50;

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
	const backend = useBackend();
	const [chosen, choose] = useState<RecordId | null>(null);
	const own = useQuery({
		queryKey: queryKeys.record(record ?? ""),
		queryFn: () => backend.recordDetails(record ?? ""),
		enabled: record !== null,
	}).data?.entry;
	const imports = useQuery({
		queryKey: [...queryKeys.history, own?.site ?? null, "reports"],
		queryFn: () => {
			const search = {
				text: "",
				site: own?.site ?? null,
				operation: "import_server" as const,
				username: null,
				outcomes: [],
			};
			return backend.searchHistory({ ...search, from: null, to: null }, null, most);
		},
		enabled: own !== undefined,
	});
	const other = useImportReport(chosen);
	const alone = useMemo(() => linesOf(report), [report]);
	const lines = useMemo(
		() => (chosen !== null && other.data ? compared(alone, linesOf(other.data)) : alone),
		[alone, chosen, other.data],
	);
	const earlier = (imports.data?.entries ?? []).filter(
		({ id, hasReport, startedAt }) => hasReport && id !== record && own !== undefined && startedAt <= own.startedAt,
	);
	return { site: own?.site ?? null, earlier, chosen, choose, ready: lines !== alone, problem: other.error, lines };
}
