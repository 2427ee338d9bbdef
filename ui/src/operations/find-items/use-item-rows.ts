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
 * The first rows, with how many match: those of the query before, while these are on their way. It belongs to one
 * search; another one is shown anew.
 */
export function useFirstRows(target: Target, search: ItemSearchView, query: ItemQuery) {
	const backend = useBackend();
	const queries = useQueryClient();
	const [atFirst] = useState(query);
	const hasMore = search.total > pageSize;
	useEffect(() => {
		// What comes next is asked for once the first rows are drawn: from then on the program reads all of them, so that
		// the first filter and the first other order are answered at once.
		if (hasMore) void queries.prefetchQuery(itemRowsOf(backend, target, search.id, atFirst, 1));
	}, [hasMore, queries, backend, target, search.id, atFirst]);
	return useQuery({ ...itemRowsOf(backend, target, search.id, query, 0), placeholderData: keepPreviousData });
}

export type FirstRows = ReturnType<typeof useFirstRows>;

/** The rows around those that can be seen. The program keeps all of them; a page is forgotten when it is out of sight. */
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

/** The pages that hold these rows, but for the first, which is always asked for. */
function pagesBetween(first: number, last: number): number[] {
	const from = Math.max(1, Math.floor(first / pageSize));
	const to = Math.floor(last / pageSize);
	return Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
}
