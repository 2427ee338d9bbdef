import { type UseQueryResult, useMutation } from "@tanstack/react-query";
import type { Problem } from "@/bridge";

interface ReadFirst {
	ask: () => void;
	isReading: boolean;
	/** Why the list could not be read. `open` is not called then. */
	problem: Problem | null;
}

/**
 * Reads a list again before a confirmation opens: the server might have changed since. Without a list, the confirmation
 * opens at once.
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
