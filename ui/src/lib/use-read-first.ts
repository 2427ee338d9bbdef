import { type UseQueryResult, useMutation } from "@tanstack/react-query";
import type { Problem } from "@/bridge";

interface ReadFirst {
	ask: () => void;
	isReading: boolean;
	/** Why it could not be read; then nothing is asked. */
	problem: Problem | null;
}

/**
 * Reads again what a confirmation names before it opens: the server may have changed since its list was read. Without a
 * list it opens at once.
 */
export function useReadFirst<T>(
	list: Pick<UseQueryResult<T, Problem>, "refetch"> | null,
	open: (fresh: T | undefined) => void,
): ReadFirst {
	const read = useMutation<T | undefined, Problem>({
		mutationFn: async () => (await list?.refetch({ throwOnError: true }))?.data,
		onSuccess: open,
	});
	return {
		ask: () => (list === null ? open(undefined) : read.mutate()),
		isReading: read.isPending,
		problem: read.error,
	};
}
