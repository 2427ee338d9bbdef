import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import { type DraftKey, useDraft } from "./drafts";

/**
 * State that is restored when the user returns to a page, until the window is closed. For view options, which do not
 * belong to the site. With `key` `null`, nothing is stored.
 */
export function useSessionState<T>(key: DraftKey<T> | null, usual: NoInfer<T>): [T, Dispatch<SetStateAction<T>>] {
	const { kept, keep } = useDraft(key ?? ("" as DraftKey<T>));
	const [value, setValue] = useState(kept ?? usual);
	useEffect(() => {
		if (key !== null) keep(value);
	}, [key, keep, value]);
	return [value, setValue];
}
