import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useId, useMemo } from "react";
import { type Problem, type RecordId, useBackend } from "@/bridge";
import { useStale } from "../stale";
import { queryKeys } from "./keys";

export interface Ticks {
	done: ReadonlySet<string>;
	set: (item: string, done: boolean) => void;
	/** Why the last mark could not be kept. */
	problem: Problem | null;
}

/** Items of a record that are marked as done. Without a record it is kept for as long as the window shows it. */
export function useChecklist(record: RecordId | null): Ticks {
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const own = useId();
	const queryKey = queryKeys.checklist(record ?? own);
	const ticks = useQuery({
		queryKey,
		queryFn: () => backend.checklist(record ?? ""),
		enabled: record !== null,
	});
	const change = useMutation({
		mutationFn: async ({ item, done }: { item: string; done: boolean }) => {
			if (record !== null) await backend.setChecklistItem(record, item, done);
		},
		onMutate: async ({ item, done }) => {
			await queries.cancelQueries({ queryKey });
			const others = (queries.getQueryData<string[]>(queryKey) ?? []).filter((one) => one !== item);
			queries.setQueryData(queryKey, done ? [...others, item] : others);
		},
		// A mark that could not be saved goes; those from before the first response stay.
		onSettled: () => stale("setChecklistItem", record ?? own),
	});
	const done = useMemo(() => new Set(ticks.data ?? []), [ticks.data]);
	const { mutate } = change;
	const set = useCallback((item: string, to: boolean) => mutate({ item, done: to }), [mutate]);
	const problem = change.error ?? ticks.error;
	// The same until something changes: long lists are drawn again for another one.
	return useMemo(() => ({ done, set, problem }), [done, set, problem]);
}
