import { hashKey, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type EndedRun, type RunView, type SiteId, type SiteView, useBackend } from "@/bridge";
import { accountAt } from "./account";
import { type OperationUis, useOperationUis } from "./operation-ui";
import { readAgain } from "./queries/client";
import { queryKeys } from "./queries/keys";
import { noteEndOfSession } from "./queries/session";
import { type Failure, type PastRun, RunStore } from "./run-store";
import { staleAfter } from "./stale-after-run";

const RunsContext = createContext<RunStore | null>(null);

export function RunsProvider({ children }: { children: ReactNode }) {
	const backend = useBackend();
	const queries = useQueryClient();
	const uis = useOperationUis();
	const [store] = useState(() => new RunStore(backend, settling(queries, uis), (site) => accountAt(queries, site)));
	useEffect(() => store.listen(), [store]);
	return <RunsContext value={store}>{children}</RunsContext>;
}

/** How long the questions wait after a run, in milliseconds: what it led to is asked for and drawn before them. */
const aMoment = 100;

/**
 * After a run, what it made stale is asked again. Both its answer and the list of runs say that it ended: it is done
 * once, a moment later.
 */
function settling(queries: QueryClient, uis: OperationUis) {
	const stale = new Map<string, QueryKey>();
	let waiting: ReturnType<typeof setTimeout> | undefined;
	return (run: PastRun, failure: Failure | null) => {
		if (failure) noteEndOfSession(queries, failure.problem, failure.startedAt);
		const site = queries.getQueryData<SiteView[]>(queryKeys.sites)?.find(({ id }) => id === run.site);
		for (const key of staleAfter(uis, run, site?.environment === "practice")) stale.set(hashKey(key), key);
		clearTimeout(waiting);
		waiting = setTimeout(() => {
			for (const key of stale.values()) void readAgain(queries, key);
			stale.clear();
		}, aMoment);
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

/** The sites on which something runs: the same set until another one begins or ends, and not at each of its steps. */
export function useBusySites(): ReadonlySet<SiteId> {
	const store = useRunStore();
	const sites = useSyncExternalStore(store.subscribe, () =>
		[...new Set(store.runs().map(({ site }) => site))].join(" "),
	);
	return useMemo(() => new Set(sites.split(" ")), [sites]);
}

/** What ended lately, on every site, and was not dismissed. */
export function useEndedRuns(): readonly EndedRun[] {
	const store = useRunStore();
	return useSyncExternalStore(store.subscribe, store.ended);
}
