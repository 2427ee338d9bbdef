import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import { type DraftKey, useDraft } from "./drafts";

/**
 * State that is there again when a user returns to its page, for as long as the window is open: how the user likes
 * to look at something is no property of the site. Without a key nothing is kept.
 */
export function useSessionState<T>(key: DraftKey<T> | null, usual: NoInfer<T>): [T, Dispatch<SetStateAction<T>>] {
	const { kept, keep } = useDraft(key ?? ("" as DraftKey<T>));
	const [value, setValue] = useState(kept ?? usual);
	useEffect(() => {
		if (key !== null) keep(value);
	}, [key, keep, value]);
	return [value, setValue];
}
