import { useDisclosure } from "@mantine/hooks";
import { type UseQueryResult, useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Problem } from "@/bridge";

export interface AskFirst<T> {
	ask: () => void;
	isReading: boolean;
	/** Whether the confirmation is open. */
	isAsked: boolean;
	close: () => void;
	/** Items that changed since they were listed. If there are any, the confirmation does not open. */
	changed: readonly T[];
	/** Why the list could not be read. The confirmation does not open then. */
	problem: Problem | null;
}

/**
 * Reads a list again before it opens a confirmation for some of its items. If an item is no longer as it was listed,
 * the confirmation stays closed and `NotAsked` explains why. Without a list, the confirmation opens at once.
 */
export function useAskFirst<T, L>(
	these: readonly T[],
	list: Pick<UseQueryResult<L, Problem>, "refetch"> | null,
	isAsListed: (one: T, fresh: L) => boolean,
): AskFirst<T> {
	const [isAsked, { open, close }] = useDisclosure();
	/** Items for which the button was pressed. */
	const wanted = useRef(these);
	const [changed, setChanged] = useState<readonly T[]>([]);
	const { ask, isReading, problem } = useReadFirst(list, (fresh) => {
		const others = fresh === undefined ? [] : wanted.current.filter((one) => !isAsListed(one, fresh));
		setChanged(others);
		if (others.length === 0) open();
	});
	return {
		ask: () => {
			close();
			setChanged([]);
			wanted.current = these;
			ask();
		},
		isReading,
		isAsked,
		close,
		changed,
		problem,
	};
}

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
