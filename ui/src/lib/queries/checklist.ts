import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useId, useMemo } from "react";
import { type Problem, type RecordId, useBackend } from "@/bridge";
import { useStale } from "../use-command";
import { queryKeys } from "./keys";

export interface Ticks {
	done: ReadonlySet<string>;
	set: (item: string, done: boolean) => void;
	problem: Problem | null;
}

/** Checklist items of an entry that are marked as done. Without an entry, the marks last as long as the component. */
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
		// Removes a mark that could not be saved. Marks set before the first response stay.
		onSettled: () => stale("setChecklistItem", record ?? own),
	});
	const done = useMemo(() => new Set(ticks.data ?? []), [ticks.data]);
	const { mutate } = change;
	const set = useCallback((item: string, to: boolean) => mutate({ item, done: to }), [mutate]);
	const problem = change.error ?? ticks.error;
	// Stable until something changes, because long lists depend on it.
	return useMemo(() => ({ done, set, problem }), [done, set, problem]);
}
