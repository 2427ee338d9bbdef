import { hashKey, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type EndedRun, type RunView, type SiteId, type SiteView, useBackend } from "@/bridge";
import { accountAt } from "./account";
import { type OperationUis, useOperationUis } from "./operation-ui";
import { readAgain } from "./queries/client";
import { queryKeys } from "./queries/keys";
import { noteEndOfSession } from "./queries/session";
import { type Failure, type PastRun, RunStore } from "./run-store";
import { onlyLooks } from "./stop-mode";

const RunsContext = createContext<RunStore | null>(null);

export function RunsProvider({ children }: { children: ReactNode }) {
	const backend = useBackend();
	const queries = useQueryClient();
	const uis = useOperationUis();
	const [store] = useState(() => new RunStore(backend, settling(queries, uis), (site) => accountAt(queries, site)));
	useEffect(() => store.listen(), [store]);
	return <RunsContext value={store}>{children}</RunsContext>;
}

/** Delay of the reads after a run, in milliseconds, so that the result is read and rendered before them. */
const readDelay = 100;

/**
 * Returns a function that invalidates the queries a run made stale. Both the command and the list of runs report its
 * end; the delay merges them into one invalidation.
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
		}, readDelay);
	};
}

export function useRunStore(): RunStore {
	const store = useContext(RunsContext);
	if (!store) throw new Error("useRunStore needs a RunsProvider above it");
	return store;
}

export function useRuns(): readonly RunView[] {
	const store = useRunStore();
	return useSyncExternalStore(store.subscribe, store.runs);
}

/** Sites with running operations. The set changes when a run starts or ends, not with each step. */
export function useBusySites(): ReadonlySet<SiteId> {
	const store = useRunStore();
	const sites = useSyncExternalStore(store.subscribe, () =>
		[...new Set(store.runs().map(({ site }) => site))].join(" "),
	);
	return useMemo(() => new Set(sites.split(" ")), [sites]);
}

/** Ended runs of all sites that were not dismissed. */
export function useEndedRuns(): readonly EndedRun[] {
	const store = useRunStore();
	return useSyncExternalStore(store.subscribe, store.ended);
}

/** Returns the queries that a run makes stale: only those of its own site, and never the session. */
function staleAfter(uis: OperationUis, run: PastRun, isPractice: boolean): QueryKey[] {
	const { site, server, operation, act } = run;
	const ui = uis[operation];
	const stale = (act === null ? null : ui.actions?.[act]) ?? ui.stale;
	return [
		...stale({ site, server }),
		...(onlyLooks(operation) ? [] : [queryKeys.history, queryKeys.records]),
		// The expected duration of such a run has changed.
		queryKeys.checkTokenExpiry({ site, server }, operation),
		// A run can use up a simulated fault and complete a step of the guided tour.
		...(isPractice ? [queryKeys.activeFaults, queryKeys.guidedTour] : []),
	];
}
