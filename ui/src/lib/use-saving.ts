import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Problem, SaveResult } from "@/bridge";
import { draftKey, useDraft } from "./drafts";

export interface SavingHandle {
	saving: SaveResult;
	/** Whether there was an attempt after the first one. */
	later: boolean;
	again: () => void;
	pending: boolean;
	/** Why the last attempt could not start. */
	error: Problem | null;
}

const latestOf = draftKey<SaveResult>();

/**
 * Saves a file again after a first attempt. `name` identifies the file; under it, the result of the last attempt
 * outlives the page.
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
