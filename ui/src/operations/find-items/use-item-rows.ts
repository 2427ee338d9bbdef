import { keepPreviousData, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type ItemQuery, type ItemRow, type ItemSearchView, type Problem, type Target, useBackend } from "@/bridge";
import { itemRowsOf, pageSize } from "@/lib/queries/items";

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
