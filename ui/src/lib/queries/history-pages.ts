import { type InfiniteData, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import {
	type BatchId,
	type DamagedEntry,
	type HistoryBatch,
	type HistoryEntry,
	type HistoryPage,
	type HistoryPlace,
	type HistorySearch,
	useBackend,
} from "@/bridge";
import { queryKeys } from "./keys";

const pageLength = 200;

/** Interval for reading entries whose outcome the plan runner writes, in milliseconds. */
const interval = 5_000;

type Pages = InfiniteData<HistoryPage, HistoryPlace | null>;

/**
 * Searches the history, newest first, page by page. Earlier results stay until the new ones arrive. A refetch reads
 * only what can have changed: new entries appear on top, and concluded pages stay.
 */
export function useHistory(search: HistorySearch) {
	const backend = useBackend();
	return useInfiniteQuery({
		queryKey: queryKeys.found("pages", search),
		queryFn: async ({ pageParam, client, queryKey }) => {
			const before = client.getQueryData<Pages>(queryKey);
			const kept = before && pageParam !== null ? keptPage(before, pageParam) : null;
			if (kept) return kept;
			const page = await backend.searchHistory(search, pageParam, pageLength);
			return before && pageParam === null ? onTop(page, before) : page;
		},
		initialPageParam: null as HistoryPlace | null,
		getNextPageParam: (page) => page.older,
		placeholderData: keepPreviousData,
		// The plan runner is another process and sends no events.
		refetchInterval: ({ state }) => (state.data?.pages.some(hasOneInRunner) ? interval : false),
	});
}

function hasOneInRunner({ entries }: HistoryPage): boolean {
	return entries.some(({ isInRunner }) => isInRunner);
}

const eventsLength = 100;

/** Searches events of the audit trail by site, time, and kind, newest first, page by page. */
export function useTrailEvents(search: HistorySearch, kinds: string[]) {
	const backend = useBackend();
	return useInfiniteQuery({
		queryKey: queryKeys.found("events", search, kinds),
		queryFn: ({ pageParam }) => backend.trailEvents(search, kinds, pageParam, eventsLength),
		initialPageParam: null as number | null,
		getNextPageParam: (page) => page.older,
		placeholderData: keepPreviousData,
	});
}

/** Returns the batches of all pages. The first page is read most often, so its version of a batch takes precedence. */
export function batchesOn(pages: readonly HistoryPage[]): HistoryBatch[] {
	const all = new Map<BatchId, HistoryBatch>();
	for (const batch of pages.flatMap(({ batches }) => batches)) if (!all.has(batch.id)) all.set(batch.id, batch);
	return [...all.values()];
}

/** Returns the damaged entries of all pages. `after` at the start of a page is the last entry of the page before. */
export function damagedOn(pages: readonly HistoryPage[]): DamagedEntry[] {
	return pages.flatMap(({ damaged }, index) => {
		const before = pages[index - 1]?.entries.at(-1)?.id ?? null;
		return damaged.map((one) => ({ ...one, after: one.after ?? before }));
	});
}

/** Returns a page from the cache, unless the outcome of an entry can still change. */
function keptPage({ pages, pageParams }: Pages, at: HistoryPlace): HistoryPage | null {
	const page = pages[pageParams.indexOf(at)];
	return page?.entries.every(isConcluded) ? page : null;
}

function isConcluded({ outcome }: HistoryEntry): boolean {
	return outcome !== "sent" && outcome !== "unknown";
}

/**
 * Returns the newest page, followed by the entries that new ones pushed out of it, so that the next page begins where
 * it did before.
 */
function onTop(newest: HistoryPage, { pages: [first] }: Pages): HistoryPage {
	const last = newest.entries.at(-1)?.id;
	const place = first?.entries.findIndex(({ id }) => id === last) ?? -1;
	const pushedOut = first?.entries.slice(place + 1) ?? [];
	// There is nothing older, or the new page does not reach the old one: the following pages are read again.
	if (!first || newest.older === null || place < 0 || !pushedOut.every(isConcluded)) return newest;
	const damaged = first.damaged.filter(({ after }) => pushedOut.some(({ id }) => id === after));
	return {
		entries: [...newest.entries, ...pushedOut],
		batches: batchesOn([newest, first]),
		damaged: [...newest.damaged, ...damaged],
		older: first.older,
	};
}
