import {
	createContext,
	type Dispatch,
	type ReactNode,
	type SetStateAction,
	useCallback,
	useContext,
	useEffect,
	useState,
} from "react";
import type { SiteId } from "@/bridge";
import { AccountContext } from "./account";

// Unsent input of forms. It stays in memory only, because forms hold secrets.
const DraftsContext = createContext<Map<string, unknown> | null>(null);

export function DraftsProvider({ children }: { children: ReactNode }) {
	const [drafts] = useState(() => new Map<string, unknown>());
	return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

/** Returns a function that removes all drafts of a site, of every account. */
export function useForgetDrafts(): (site: SiteId) => void {
	const drafts = useContext(DraftsContext);
	return useCallback(
		(site) => {
			for (const key of drafts?.keys() ?? []) if (key.split(" ").includes(site)) drafts?.delete(key);
		},
		[drafts],
	);
}

declare const kept: unique symbol;

/** Key of a draft, with the type of the stored value. */
export type DraftKey<T> = string & { readonly [kept]: (draft: T) => T };

let forms = 0;

/**
 * Returns a function that makes the draft keys of one form, one for each site, record, or other owner. Each call of
 * `draftKey` gives keys of its own, so that two forms never share a draft, and the key carries the type of its draft.
 */
export function draftKey<T>(): (of: string) => DraftKey<T> {
	forms += 1;
	const form = forms;
	return (of) => `${form} ${of}` as DraftKey<T>;
}

/** Reads and writes the draft at a key. On a page of an account, only that account finds it. */
export function useDraft<T>(key: DraftKey<T>): { kept: T | null; keep: (values: T | null) => void } {
	const drafts = useContext(DraftsContext);
	const account = useContext(AccountContext);
	if (!drafts) throw new Error("useDraft needs a DraftsProvider above it");
	const own = account === null ? key : `${key} ${account.site} ${account.username}`;
	const keep = useCallback(
		(values: T | null) => {
			if (values === null) drafts.delete(own);
			else drafts.set(own, values);
		},
		[drafts, own],
	);
	return {
		// Read at access time: a later event must not use the value of an earlier render.
		get kept() {
			return (drafts.get(own) ?? null) as T | null;
		},
		keep,
	};
}

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
