import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

// What was typed into a form and not sent yet. Kept in memory only: forms hold secrets.
const DraftsContext = createContext<Map<string, unknown> | null>(null);

export function DraftsProvider({ children }: { children: ReactNode }) {
	const [drafts] = useState(() => new Map<string, unknown>());
	return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

/** The kept values of the form called `name` (say `${site.id} ${key}`), and the way to keep them. */
export function useDraft<T>(name: string): { kept: T | null; keep: (values: T | null) => void } {
	const drafts = useContext(DraftsContext);
	if (!drafts) throw new Error("useDraft needs a DraftsProvider above it");
	const keep = useCallback(
		(values: T | null) => {
			if (values === null) drafts.delete(name);
			else drafts.set(name, values);
		},
		[drafts, name],
	);
	return {
		// As it is when it is asked for: an act of later must not go by what an earlier drawing saw.
		get kept() {
			return (drafts.get(name) ?? null) as T | null;
		},
		keep,
	};
}
