import { type QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { Backend, FoundItems, ItemQuery, SearchId, SiteId, Target } from "@/bridge";
import { useStale } from "../use-command";
import { queryKeys, useRead } from "./keys";

/** Rows of one request. */
export const pageSize = 100;

/** Last search for data store items; `data` is `null` if the backend holds none. */
export function useItemSearch(target: Target) {
	return useRead(queryKeys.itemSearch(target), (backend) => backend.lastItemSearch(target));
}

export function itemRowsOf(backend: Backend, target: Target, search: SearchId, query: ItemQuery, page: number) {
	return queryOptions({
		queryKey: [...queryKeys.itemRows(target, search), query, page],
		queryFn: () => backend.itemRows(target, search, query, page * pageSize, pageSize),
		// The results of a search do not change.
		staleTime: "static",
		gcTime: 30_000,
	});
}

/** Stores the results of a new search, with its first rows, in the cache. */
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

/** All fields that the site returned of an item. */
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

/** Last validation of an item; `data` is `null` if there was none. */
export function useItemValidation(target: Target, search: SearchId, item: number) {
	return useRead([...queryKeys.itemChecks(target), search, item], (backend) =>
		backend.itemValidation(target, search, item),
	);
}

/** Services that use an item; `data` is `null` if they were not determined. */
export function useItemUse(target: Target, search: SearchId, item: number) {
	return useRead([...queryKeys.itemChecks(target), search, item, "use"], (backend) =>
		backend.itemUse(target, search, item),
	);
}

export function useSearchValidation(target: Target, search: SearchId) {
	return useRead([...queryKeys.itemChecks(target), search], (backend) => backend.searchValidation(target, search));
}

/** Earlier filters, newest first. */
export function useRecentItemFilters(site: SiteId) {
	return useRead(queryKeys.itemFilters(site), (backend) => backend.recentItemFilters(site));
}

/** Search results of the command palette on the servers of a site. Reads nothing if `read` is `null`. */
export function useFinds<T>(site: SiteId, words: string, read: ((queries: QueryClient) => Promise<T>) | null) {
	return useQuery({
		queryKey: queryKeys.finds(site, words),
		queryFn: read === null ? skipToken : ({ client }) => read(client),
		// A page might have read more data meanwhile.
		staleTime: 0,
		gcTime: 0,
	});
}
