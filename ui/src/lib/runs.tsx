import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { type EndedRun, type RunView, useBackend } from "@/bridge";
import { RunStore } from "./run-store";

const RunsContext = createContext<RunStore | null>(null);

export function RunsProvider({ children }: { children: ReactNode }) {
	const backend = useBackend();
	const queries = useQueryClient();
	// A finished run may have changed anything that was read from the site.
	const [store] = useState(() => {
		const settled = soonOnce(() => void queries.invalidateQueries());
		return new RunStore(backend, settled);
	});
	useEffect(() => store.listen(), [store]);
	return <RunsContext value={store}>{children}</RunsContext>;
}

/** How long the questions wait after a run, in milliseconds: what it led to is asked for and drawn before them. */
const aMoment = 100;

/** Both the answer of a run and the list of what runs say that it ended: what follows is done once, a moment later. */
function soonOnce(act: () => void): () => void {
	let waiting: ReturnType<typeof setTimeout> | undefined;
	return () => {
		clearTimeout(waiting);
		waiting = setTimeout(act, aMoment);
	};
}

export function useRunStore(): RunStore {
	const store = useContext(RunsContext);
	if (!store) throw new Error("useRunStore needs a RunsProvider above it");
	return store;
}

/** Everything that runs now, on every site. */
export function useRuns(): readonly RunView[] {
	const store = useRunStore();
	return useSyncExternalStore(store.subscribe, store.runs);
}

/** What ended lately, on every site, and was not dismissed. */
export function useEndedRuns(): readonly EndedRun[] {
	const store = useRunStore();
	return useSyncExternalStore(store.subscribe, store.ended);
}
