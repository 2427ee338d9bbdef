import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { EndedRun, HistoryEntry, RunId, RunView } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useUnknownRecords } from "@/lib/queries/history";
import { type OperationState, useEndedRuns, useRunStore, useRuns } from "@/lib/runs";
import { showsUpload } from "@/operations";

export interface Dock {
	runs: readonly RunView[];
	ended: readonly EndedRun[];
	/** Entries with an unknown outcome, possibly from before a crash. */
	unknown: readonly HistoryEntry[];
	empty: boolean;
	/** Removes an ended run. An unknown outcome stays in the history. */
	dismiss: (run: EndedRun) => void;
	/** Hides unknown outcomes until the window is opened again. */
	later: () => void;
}

export const operationsPanelRowHeight = 40;

/** Height of at most three rows, in pixels; more rows scroll. */
export function operationsPanelHeight({ runs, ended, unknown }: Dock): number {
	const rows = runs.length + ended.length + (unknown.length > 0 ? 1 : 0);
	return Math.min(Math.max(rows, 1), 3) * operationsPanelRowHeight + 1;
}

export function useOperationsPanel(): Dock {
	const { place } = useNavigation();
	const queries = useQueryClient();
	const store = useRunStore();
	const runs = useRuns();
	const all = useEndedRuns();
	const records = useUnknownRecords().data;
	const [later, setLater] = useState<ReadonlySet<string>>(new Set());

	// Results that are shown on their own page need no row.
	const seen = useRef(new Set<RunId>());
	useEffect(() => {
		for (const run of all) {
			const inView = place.page === "operation" && place.key === run.operation && place.site === run.site;
			const isNew = !seen.current.has(run.id);
			seen.current.add(run.id);
			// The form of an import shows the end of its upload.
			const isShown =
				run.act === "upload" ? showsUpload(queries, run, run.id) : shows(store.state(run.operation, run), run);
			if (isNew && inView && isShown) store.dismiss(run.id);
		}
	}, [all, place, queries, store]);

	return useMemo(() => {
		const shown = (record: HistoryEntry) => !later.has(record.id) && !all.some((run) => run.record === record.id);
		const unknown = (records ?? []).filter(shown);
		const leave = (ids: readonly (string | null)[]) =>
			setLater((before) => new Set([...before, ...ids.filter((id) => id !== null)]));
		return {
			runs,
			ended: all,
			unknown,
			empty: runs.length + all.length + unknown.length === 0,
			dismiss: (run) => {
				leave([run.record]);
				store.dismiss(run.id);
			},
			later: () => leave(unknown.map(({ id }) => id)),
		};
	}, [runs, all, records, later, store]);
}

/** Whether a page with this state shows the result of the run itself, and not, for example, of an undo. */
function shows(state: OperationState<unknown, unknown>, run: EndedRun): boolean {
	return state.kind !== "idle" && state.run === run.id;
}
