import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import { useDraft } from "./drafts";

/**
 * State that is there again when whoever left its page comes back, for as long as the window is open: how somebody likes
 * to look at something is no property of the site. Without a name nothing is kept.
 */
export function useKept<T>(name: string | null, usual: T): [T, Dispatch<SetStateAction<T>>] {
	const { kept, keep } = useDraft<T>(name ?? "");
	const [value, setValue] = useState(kept ?? usual);
	useEffect(() => {
		if (name !== null) keep(value);
	}, [name, keep, value]);
	return [value, setValue];
}
