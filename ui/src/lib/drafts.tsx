import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import type { SiteId } from "@/bridge";
import { AccountContext } from "./account";

// What was typed into a form and not sent yet. Kept in memory only: forms hold secrets.
const DraftsContext = createContext<Map<string, unknown> | null>(null);

export function DraftsProvider({ children }: { children: ReactNode }) {
	const [drafts] = useState(() => new Map<string, unknown>());
	return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

/** Forgets what was typed about a site, whoever typed it. */
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

/** Where a draft is kept, and the type of what is kept there. */
export type DraftKey<T> = string & { readonly [kept]: (draft: T) => T };

let forms = 0;

/**
 * The keys of one form's drafts, one for each site, record or whatever it belongs to. Whoever reads a draft must take
 * its key from here, and with it the type: no two calls lead to the same draft.
 */
export function draftKey<T>(): (of: string) => DraftKey<T> {
	forms += 1;
	const form = forms;
	return (of) => `${form} ${of}` as DraftKey<T>;
}

/** What is kept at the key, and the way to keep it. On a page for one account, nobody else finds it. */
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
		// As it is when it is asked for: an act of later must not go by what an earlier drawing saw.
		get kept() {
			return (drafts.get(own) ?? null) as T | null;
		},
		keep,
	};
}
