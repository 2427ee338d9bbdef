import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type HistoryPlace, type HistorySearch, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";

const pageLength = 200;

/** What a search finds, newest first, page by page. What was found before stays until the next answer is there. */
export function useHistory(search: HistorySearch) {
	const backend = useBackend();
	return useInfiniteQuery({
		queryKey: [...queryKeys.history, search],
		queryFn: ({ pageParam }) => backend.searchHistory(search, pageParam, pageLength),
		initialPageParam: null as HistoryPlace | null,
		getNextPageParam: (page) => page.older,
		placeholderData: keepPreviousData,
	});
}

/** Everybody who has a record. */
export function useHistoryPeople() {
	const backend = useBackend();
	return useQuery({ queryKey: [...queryKeys.history, "people"], queryFn: () => backend.historyPeople() });
}
