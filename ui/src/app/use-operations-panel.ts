import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { EndedRun, HistoryEntry, RunId, RunView } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useUnknownRecords } from "@/lib/queries/history";
import type { OperationState } from "@/lib/run-store";
import { useEndedRuns, useRunStore, useRuns } from "@/lib/runs";
import { showsUpload } from "@/operations";

export interface Dock {
	runs: readonly RunView[];
	ended: readonly EndedRun[];
	/** Sent before, perhaps by a program that then crashed, and never answered. */
	unknown: readonly HistoryEntry[];
	empty: boolean;
	/** The person has seen it; one whose answer was lost is left to the history. */
	dismiss: (run: EndedRun) => void;
	/** Leaves the unknown ones to the history until the window is opened again. */
	later: () => void;
}

export const operationsPanelRowHeight = 40;

/** Room for three rows; more are reached by scrolling. */
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

	// What its own screen shows at this moment needs no line below it.
	const seen = useRef(new Set<RunId>());
	useEffect(() => {
		for (const run of all) {
			const inView = place.page === "operation" && place.key === run.operation && place.site === run.site;
			const isNew = !seen.current.has(run.id);
			seen.current.add(run.id);
			// The form of an import shows the end of an upload that was begun there.
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

/** Whether a screen in this state shows the result of this very run; an undo, say, is another one of the same operation. */
function shows(state: OperationState<unknown, unknown>, run: EndedRun): boolean {
	return state.kind !== "idle" && state.run === run.id;
}
