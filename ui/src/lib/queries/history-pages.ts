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

/** How often entries are read again whose outcome another process writes, in milliseconds. */
const interval = 5_000;

type Pages = InfiniteData<HistoryPage, HistoryPlace | null>;

/**
 * What a search finds, newest first, page by page. What was found before stays until the next answer is there. Asked
 * again, new records come in on top, and the older pages stay.
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
		// Another process does not tell when its runs end.
		refetchInterval: ({ state }) => (state.data?.pages.some(hasOneInRunner) ? interval : false),
	});
}

function hasOneInRunner({ entries }: HistoryPage): boolean {
	return entries.some(({ isInRunner }) => isInRunner);
}

const eventsLength = 100;

/** The events of the audit trail that a search finds by site and time, of these kinds, newest first, page by page. */
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

/** The batches of all pages, each as it was read last: the newest page is read the most often. */
export function batchesOn(pages: readonly HistoryPage[]): HistoryBatch[] {
	const all = new Map<BatchId, HistoryBatch>();
	for (const batch of pages.flatMap(({ batches }) => batches)) if (!all.has(batch.id)) all.set(batch.id, batch);
	return [...all.values()];
}

/** What is damaged on all pages. At the beginning of a page, it follows the last entry of the page before. */
export function damagedOn(pages: readonly HistoryPage[]): DamagedEntry[] {
	return pages.flatMap(({ damaged }, index) => {
		const before = pages[index - 1]?.entries.at(-1)?.id ?? null;
		return damaged.map((one) => ({ ...one, after: one.after ?? before }));
	});
}

/** A page that was read, unless one of its records can still get another outcome. */
function keptPage({ pages, pageParams }: Pages, at: HistoryPlace): HistoryPage | null {
	const page = pages[pageParams.indexOf(at)];
	return page?.entries.every(isConcluded) ? page : null;
}

function isConcluded({ outcome }: HistoryEntry): boolean {
	return outcome !== "sent" && outcome !== "unknown";
}

/** The newest page, and below it what new records pushed out of it: the next page begins where it did. */
function onTop(newest: HistoryPage, { pages: [first] }: Pages): HistoryPage {
	const last = newest.entries.at(-1)?.id;
	const place = first?.entries.findIndex(({ id }) => id === last) ?? -1;
	const pushedOut = first?.entries.slice(place + 1) ?? [];
	// Nothing is older, or so much is new that the two do not meet: then all is read from here.
	if (!first || newest.older === null || place < 0 || !pushedOut.every(isConcluded)) return newest;
	const damaged = first.damaged.filter(({ after }) => pushedOut.some(({ id }) => id === after));
	return {
		entries: [...newest.entries, ...pushedOut],
		batches: batchesOn([newest, first]),
		damaged: [...newest.damaged, ...damaged],
		older: first.older,
	};
}
