import {
	keepPreviousData,
	type QueryClient,
	queryOptions,
	skipToken,
	useQueries,
	useQuery,
	useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useState } from "react";
import {
	type Backend,
	type FoundItems,
	type ItemQuery,
	type ItemRow,
	type ItemSearchView,
	type Problem,
	type SearchId,
	type SiteId,
	type Target,
	useBackend,
} from "@/bridge";
import { useStale } from "../use-command";
import { queryKeys, useRead } from "./keys";

/** Rows of one request. */
export const pageSize = 100;

/** Last search for data store items; `data` is `null` if the backend holds none. */
export function useItemSearch(target: Target) {
	return useRead(queryKeys.itemSearch(target), (backend) => backend.lastItemSearch(target));
}

function itemRowsOf(backend: Backend, target: Target, search: SearchId, query: ItemQuery, page: number) {
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

interface ItemRowsHandle {
	row: (index: number) => ItemRow | null;
	error: Problem | null;
	retry: () => void;
}

/**
 * Reads the first rows of a query with the number of matches. The rows of the previous query stay until they arrive. A
 * component must be mounted again for another search.
 */
export function useFirstRows(target: Target, search: ItemSearchView, query: ItemQuery) {
	const backend = useBackend();
	const queries = useQueryClient();
	const [atFirst] = useState(query);
	const hasMore = search.total > pageSize;
	useEffect(() => {
		// Reads the second page after the first one is rendered. The backend then parses all rows, so that the first filter
		// and sort respond at once.
		if (hasMore) void queries.prefetchQuery(itemRowsOf(backend, target, search.id, atFirst, 1));
	}, [hasMore, queries, backend, target, search.id, atFirst]);
	return useQuery({ ...itemRowsOf(backend, target, search.id, query, 0), placeholderData: keepPreviousData });
}

export type FirstRows = ReturnType<typeof useFirstRows>;

/** Reads the rows around the visible ones. The backend holds all rows; pages out of view are removed from the cache. */
export function useItemRows(
	target: Target,
	search: ItemSearchView,
	query: ItemQuery,
	first: FirstRows,
	seen: { first: number; last: number },
): ItemRowsHandle {
	const backend = useBackend();
	const numbers = pagesBetween(seen.first, seen.last);
	const others = useQueries({
		queries: numbers.map((number) => itemRowsOf(backend, target, search.id, query, number)),
	});
	const rows = new Map(others.map((other, place) => [numbers[place], other.data?.rows]));
	return {
		row: (index) => {
			const number = Math.floor(index / pageSize);
			const inPage = number === 0 ? first.data?.rows : rows.get(number);
			return inPage?.[index % pageSize] ?? null;
		},
		error: first.error ?? others.find(({ error }) => error !== null)?.error ?? null,
		retry: () => {
			for (const one of [first, ...others]) if (one.error) void one.refetch();
		},
	};
}

/** Returns the pages of rows, without the first page, which is always read. */
function pagesBetween(first: number, last: number): number[] {
	const from = Math.max(1, Math.floor(first / pageSize));
	const to = Math.floor(last / pageSize);
	return Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
}
