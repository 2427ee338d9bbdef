import { type QueryKey, skipToken, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { type Backend, type Problem, useBackend } from "@/bridge";

type Options<T> = Omit<UseQueryOptions<T, Problem>, "queryKey" | "queryFn">;

/** Reads with a backend command and caches the result under a key. Reads nothing if `read` is `null`. */
export function useRead<T>(queryKey: QueryKey, read: ((backend: Backend) => Promise<T>) | null, options?: Options<T>) {
	const backend = useBackend();
	return useQuery<T, Problem>({ queryKey, queryFn: read === null ? skipToken : () => read(backend), ...options });
}
