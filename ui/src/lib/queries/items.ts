import { type QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { Backend, FoundItems, ItemQuery, SearchId, SiteId, Target } from "@/bridge";
import { useStale } from "../stale";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

/** Rows are asked for in pages of this many. */
export const pageSize = 100;

/** What was found last of data items; `data` is `null` when nothing is held. */
export function useItemSearch(target: Target) {
	return useRead(queryKeys.itemSearch(target), (backend) => backend.lastItemSearch(target));
}

/** The rows of one page. */
export function itemRowsOf(backend: Backend, target: Target, search: SearchId, query: ItemQuery, page: number) {
	return queryOptions({
		queryKey: [...queryKeys.itemRows(target, search), query, page],
		queryFn: () => backend.itemRows(target, search, query, page * pageSize, pageSize),
		// What was found does not change while it is held.
		staleTime: "static",
		gcTime: 30_000,
	});
}

/** Takes what a search found for the last one, and its first rows for read. */
export function takeFoundItems(
	queries: QueryClient,
	backend: Backend,
	target: Target,
	query: ItemQuery,
	{ search, first }: FoundItems,
): void {
	queries.setQueryData(queryKeys.itemSearch(target), search);
	queries.setQueryData(itemRowsOf(backend, target, search.id, query, 0).queryKey, first);
}

/** Everything the site returned of an item; not while `enabled` is false. */
export function useItemDetails(target: Target, search: SearchId, item: number | null, enabled: boolean) {
	const stale = useStale();
	return useRead(
		[...queryKeys.itemRows(target, search), "details", item],
		async (backend) => {
			const opened = await backend.itemDetails(target, search, item ?? 0);
			void stale("itemDetails");
			return opened;
		},
		{
			enabled,
		},
	);
}

/** The last validation of an item; `data` is `null` if there was none. */
export function useItemValidation(target: Target, search: SearchId, item: number) {
	return useRead([...queryKeys.itemChecks(target), search, item], (backend) =>
		backend.itemValidation(target, search, item),
	);
}

/** The services that use an item; `data` is `null` if that was not determined. */
export function useItemUse(target: Target, search: SearchId, item: number) {
	return useRead([...queryKeys.itemChecks(target), search, item, "use"], (backend) =>
		backend.itemUse(target, search, item),
	);
}

/** The last validation of all items of a search. */
export function useSearchValidation(target: Target, search: SearchId) {
	return useRead([...queryKeys.itemChecks(target), search], (backend) => backend.searchValidation(target, search));
}

/** Filters that were sent before, newest first. */
export function useRecentItemFilters(site: SiteId) {
	return useRead(queryKeys.itemFilters(site), (backend) => backend.recentItemFilters(site));
}

/** What is found by words on the servers of a site, read anew each time; not while `read` is `null`. */
export function useFinds<T>(site: SiteId, words: string, read: ((queries: QueryClient) => Promise<T>) | null) {
	return useQuery({
		queryKey: queryKeys.finds(site, words),
		queryFn: read === null ? skipToken : ({ client }) => read(client),
		// A page may have read more meanwhile.
		staleTime: 0,
		gcTime: 0,
	});
}
