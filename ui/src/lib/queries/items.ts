import { type QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import {
	type Backend,
	type FoundItems,
	type ItemQuery,
	type SearchId,
	type SiteId,
	type Target,
	useBackend,
} from "@/bridge";
import { useStale } from "../stale";
import { queryKeys } from "./keys";

/** Rows are asked for in pages of this many. */
export const pageSize = 100;

/** What was found last of data items; `data` is `null` when nothing is held. */
export function useItemSearch(target: Target) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.itemSearch(target), queryFn: () => backend.lastItemSearch(target) });
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
	const backend = useBackend();
	const stale = useStale();
	return useQuery({
		queryKey: [...queryKeys.itemRows(target, search), "details", item],
		queryFn: async () => {
			const opened = await backend.itemDetails(target, search, item ?? 0);
			void stale("itemDetails");
			return opened;
		},
		enabled,
	});
}

/** The last validation of an item; `data` is `null` if there was none. */
export function useItemValidation(target: Target, search: SearchId, item: number) {
	const backend = useBackend();
	return useQuery({
		queryKey: [...queryKeys.itemChecks(target), search, item],
		queryFn: () => backend.itemValidation(target, search, item),
	});
}

/** The services that use an item; `data` is `null` if that was not determined. */
export function useItemUse(target: Target, search: SearchId, item: number) {
	const backend = useBackend();
	return useQuery({
		queryKey: [...queryKeys.itemChecks(target), search, item, "use"],
		queryFn: () => backend.itemUse(target, search, item),
	});
}

/** The last validation of all items of a search. */
export function useSearchValidation(target: Target, search: SearchId) {
	const backend = useBackend();
	return useQuery({
		queryKey: [...queryKeys.itemChecks(target), search],
		queryFn: () => backend.searchValidation(target, search),
	});
}

/** Filters that were sent before, newest first. */
export function useRecentItemFilters(site: SiteId) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.itemFilters(site), queryFn: () => backend.recentItemFilters(site) });
}

/** What is found by words, read anew each time; not while `read` is `null`. */
export function useFinds<T>(target: Target, words: string, read: ((queries: QueryClient) => Promise<T>) | null) {
	return useQuery({
		queryKey: queryKeys.finds(target, words),
		queryFn: read === null ? skipToken : ({ client }) => read(client),
		// A page may have read more meanwhile.
		staleTime: 0,
		gcTime: 0,
	});
}
