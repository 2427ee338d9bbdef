import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Problem, SaveResult } from "@/bridge";
import { draftKey, useDraft } from "./drafts";

export interface SavingHandle {
	/** What became of the file, by the latest attempt. */
	saving: SaveResult;
	/** Whether it took more than the first attempt. */
	later: boolean;
	again: () => void;
	pending: boolean;
	/** Why there was no attempt. */
	error: Problem | null;
}

const latestOf = draftKey<SaveResult>();

/**
 * A file that can be saved again while it is in hand. `name` tells it from all others; under it the latest attempt
 * outlives the screen, as the result does that it belongs to.
 */
export function useSaving(name: string, first: SaveResult, attempt: () => Promise<SaveResult>): SavingHandle {
	const { kept, keep } = useDraft(latestOf(name));
	const [latest, setLatest] = useState(kept);
	const { mutate, isPending, error } = useMutation({
		mutationFn: attempt,
		onSuccess: (saving) => {
			keep(saving);
			setLatest(saving);
		},
	});
	return { saving: latest ?? first, later: latest !== null, again: () => mutate(), pending: isPending, error };
}
