import { keepPreviousData, queryOptions, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import {
	type Backend,
	type ItemQuery,
	type ItemRow,
	type ItemSearchView,
	type Problem,
	type SiteId,
	useBackend,
} from "@/bridge";
import { queryKeys } from "@/lib/queries";

/** Rows are asked for in pages of this many. */
export const pageSize = 100;

export interface ItemRowsHandle {
	/** How many rows match; those of the query before, while the first rows of this one are on their way. */
	matching: number | null;
	row: (index: number) => ItemRow | null;
	/** Whether what is shown still answers the query before. */
	stale: boolean;
	error: Problem | null;
	retry: () => void;
}

/** The rows of one page. */
export function itemRowsOf(backend: Backend, site: SiteId, search: ItemSearchView, query: ItemQuery, page: number) {
	return queryOptions({
		queryKey: [...queryKeys.itemRows(site, search.id), query, page] as const,
		queryFn: () => backend.itemRows(site, search.id, query, page * pageSize, pageSize),
		// What was found does not change while it is held.
		staleTime: "static",
		gcTime: 30_000,
	});
}

/** The rows around those that can be seen. The program keeps all of them; a page is forgotten when it is out of sight. */
export function useItemRows(
	site: SiteId,
	search: ItemSearchView,
	query: ItemQuery,
	seen: { first: number; last: number },
): ItemRowsHandle {
	const backend = useBackend();
	const page = (number: number) => itemRowsOf(backend, site, search, query, number);
	const first = useQuery({ ...page(0), placeholderData: keepPreviousData });
	// What comes next is asked for once the first rows are drawn: from then on the program reads all of them, so that the
	// first filter and the first other order are answered at once.
	const queries = useQueryClient();
	const hasMore = search.total > pageSize;
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each search
	useEffect(() => {
		if (hasMore) void queries.prefetchQuery(page(1));
	}, [search.id]);
	const numbers = pagesBetween(seen.first, seen.last);
	const others = useQueries({ queries: numbers.map(page) });
	const rows = new Map(others.map((other, place) => [numbers[place], other.data?.rows]));
	return {
		matching: first.data?.matching ?? null,
		row: (index) => {
			const number = Math.floor(index / pageSize);
			const inPage = number === 0 ? first.data?.rows : rows.get(number);
			return inPage?.[index % pageSize] ?? null;
		},
		stale: first.isPlaceholderData,
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
