import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useId, useMemo } from "react";
import { type Compared, type Key, type Problem, type RecordId, type SiteId, useBackend } from "@/bridge";
import { useStale } from "../use-command";
import { queryKeys, useRead } from "./keys";

/** Interval for reading whether a snapshot was taken, in milliseconds. Sends no request to the site. */
const often = 1_000;

export function useSnapshots(site: SiteId) {
	return useRead(queryKeys.snapshots(site), (backend) => backend.snapshots(site), {
		staleTime: 0,
		refetchInterval: ({ state: { data } }) => (data?.isTaking ? often : false),
	});
}

/** Sites and servers that have a snapshot. */
export function useSides() {
	return useRead(queryKeys.sides, (backend) => backend.sides(), { staleTime: 0 });
}

/** Imports of a site with a snapshot before and after them. */
export function useComparedImports(site: SiteId) {
	return useRead(queryKeys.importsCompared(site), (backend) => backend.comparedImports(site), { staleTime: 0 });
}

/** Changes of each portal or server of a site since its first snapshot that are not accepted. */
export function useChangedSinceAccepted(site: SiteId) {
	return useRead(queryKeys.changedSinceAccepted(site), (backend) => backend.changedSinceAccepted(site), {
		staleTime: 0,
	});
}

/**
 * Takes a snapshot once a file to import is chosen. The import does not wait for it, and the snapshots list a failure.
 */
export function useSnapshotBeforeImport(site: SiteId, isFileChosen: boolean): void {
	const backend = useBackend();
	const stale = useStale();
	const take = useEffectEvent(() => {
		const read = () => stale("snapshotBeforeImport", site);
		backend.snapshotBeforeImport(site).then(read, read);
	});
	useEffect(() => {
		if (isFileChosen) take();
	}, [isFileChosen]);
}

export function useComparison(compared: Compared) {
	const stale = useStale();
	return useRead(queryKeys.compared(compared), async (backend) => {
		const found = await backend.compareSnapshots(compared);
		stale("compareSnapshots");
		return found;
	});
}

export function useComparedFields(compared: Compared, key: Key) {
	return useRead(queryKeys.comparedFields(compared, key), (backend) => backend.comparedFields(compared, key));
}

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
