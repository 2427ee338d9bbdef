import { useDisclosure } from "@mantine/hooks";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Problem } from "@/bridge";
import { useReadFirst } from "./use-read-first";

export interface AskFirst<T> {
	ask: () => void;
	isReading: boolean;
	/** Whether the question is open. */
	isAsked: boolean;
	close: () => void;
	/** Those that are no longer as they were listed: then nothing is asked. */
	changed: readonly T[];
	/** Why the list could not be read; then nothing is asked. */
	problem: Problem | null;
}

/**
 * Reads a list again before it asks whether something is done with these of it. It asks nothing if one of them is no
 * longer as it was listed; `NotAsked` says why. Without a list it asks at once.
 */
export function useAskFirst<T, L>(
	these: readonly T[],
	list: Pick<UseQueryResult<L, Problem>, "refetch"> | null,
	isAsListed: (one: T, fresh: L) => boolean,
): AskFirst<T> {
	const [isAsked, { open, close }] = useDisclosure();
	/** Those for which the button was pressed. */
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
