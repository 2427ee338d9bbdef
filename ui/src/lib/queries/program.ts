import {
	type QueryClient,
	type QueryKey,
	queryOptions,
	skipToken,
	useQuery,
	useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import {
	type Backend,
	type Millis,
	type Problem,
	type SessionView,
	type SiteId,
	type SiteView,
	type Target,
	type UpdateView,
	useBackend,
} from "@/bridge";
import { serverOf } from "../target";
import { queryKeys, useRead } from "./keys";

export function sitesOf(backend: Backend) {
	return queryOptions({ queryKey: queryKeys.sites, queryFn: () => backend.listSites() });
}

/** Fills the cache with the sites that the backend delivered with the page. */
export function setSites(queries: QueryClient, sites: SiteView[], updatedAt: Millis): void {
	queries.setQueryData(queryKeys.sites, sites, { updatedAt });
}

export function forgetSite(queries: QueryClient, site: SiteId): void {
	queries.removeQueries({ queryKey: queryKeys.site(site) });
}

/** Discards the cached data of a site and reads again what is on screen. */
export function resetSite(queries: QueryClient, site: SiteId): void {
	void queries.resetQueries({ queryKey: queryKeys.site(site) });
}

export function useSites() {
	return useQuery(sitesOf(useBackend()));
}

export function usePractice() {
	return useRead(queryKeys.practice, (backend) => backend.practice());
}

export function useAbout() {
	return useRead(queryKeys.about, (backend) => backend.about(), {
		staleTime: Number.POSITIVE_INFINITY,
	});
}

/** State of app updates. Sends no request to the update server. */
export function useUpdates() {
	const backend = useBackend();
	const queries = useQueryClient();
	useEffect(
		() => backend.onUpdate((now) => queries.setQueryData<UpdateView>(queryKeys.updates, now)),
		[backend, queries],
	);
	// Events are missed while no component uses this hook.
	return useRead(queryKeys.updates, (backend) => backend.updateState(), {
		staleTime: 0,
	});
}

/** Interval for reading the state of forwarding while a page shows it, in milliseconds. */
const forwardingInterval = 2_000;

/** Log server and progress of forwarding. Sends nothing to the log server. */
export function useForwarding() {
	return useRead(queryKeys.forwarding, (backend) => backend.forwarding(), {
		refetchInterval: forwardingInterval,
		staleTime: 0,
	});
}

/** Alert channels, and those that the organization allows. Sends nothing to them. */
export function useAlerts() {
	return useRead(queryKeys.alerts, (backend) => backend.alerts(), { staleTime: 0 });
}

export function useActiveFaults(enabled = true) {
	return useRead(queryKeys.activeFaults, (backend) => backend.listFaults(), {
		enabled,
	});
}

/** Concerns of a site, and facts of its portal and servers. Sends no request to the site. */
export function useSiteOverview(site: SiteId | null) {
	return useRead(queryKeys.overview(site ?? ""), (backend) => backend.siteOverview(site ?? ""), {
		enabled: site !== null,
		// Checks and runs in other parts of the window change it, and a read takes about a millisecond.
		staleTime: 0,
		// Concerns also change with time: an invitation expires.
		refetchInterval: 10 * 60_000,
	});
}

/** Worst concern of each site. Sends no request to a site. */
export function useAllOverviews() {
	return useRead([...queryKeys.overviews, "all"], (backend) => backend.allOverviews(), {
		staleTime: 0,
		refetchInterval: 10 * 60_000,
	});
}

export function useGuidedTour() {
	return useRead(queryKeys.guidedTour, (backend) => backend.guidedTour());
}

/** Size and checksum of a file that the app saved. The backend rejects other files. `null`: nothing is read. */
export function useFileFacts(path: string | null) {
	return useRead(queryKeys.fileFacts(path ?? ""), path === null ? null : (backend) => backend.fileFacts(path));
}

/** Whether this computer has disk space for an export. */
export function useRoomForCopy(): boolean {
	return useRead(queryKeys.roomForCopy, (backend) => backend.hasRoomForCopy()).data ?? false;
}

/** Help pages in a language. They come from the bundle, not from the backend. */
export function useHelpPages<T>(language: string, load: () => Promise<T>) {
	return useRead(queryKeys.help(language), load, {
		staleTime: Number.POSITIVE_INFINITY,
	});
}

export function setSession(queries: QueryClient, session: SessionView): void {
	queries.setQueryData(queryKeys.session(session), session);
	setLastSession(queries, session.site, session);
}

/** Removes the session after a sign-out. For a session that expires, see {@link useLastSession}. */
export function forgetSession(queries: QueryClient, site: SiteId): void {
	queries.setQueriesData({ queryKey: queryKeys.sessions(site) }, null);
	setLastSession(queries, site, null);
}

/**
 * Stores the last session. If the user changed, everything read for the former user is discarded, and read again where
 * it is on screen.
 */
function setLastSession(queries: QueryClient, site: SiteId, session: SessionView | null): void {
	const before = queries.getQueryData<SessionView | null>(queryKeys.lastSession(site));
	queries.setQueryData(queryKeys.lastSession(site), session);
	if (!before || before.username === session?.username) return;
	const isOwn = ({ queryKey: [, , what] }: { queryKey: QueryKey }) => what === "session" || what === "lastSession";
	void queries.resetQueries({ queryKey: queryKeys.site(site), predicate: (query) => !isOwn(query) });
}

/** Stores a new session and reads the site again: the session might last longer, and its user might see other data. */
export async function takeSession(queries: QueryClient, session: SessionView) {
	setSession(queries, session);
	const stale = [queryKeys.sites, queryKeys.site(session.site), queryKeys.overviews];
	await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/**
 * Marks a session as ended after a problem that requires a sign-in at the site, which saves a request.
 *
 * A session that is newer than the failed run might be valid and is read again. Problems of a single server do not
 * affect the session of the site.
 */
export function noteEndOfSession(queries: QueryClient, failure: Problem, startedAt: Millis): void {
	const problem = failure.kind === "webhooksWereInactive" ? failure.cause : failure;
	if (problem.kind !== "signIn" || problem.server !== null) return;
	for (const { queryKey, state } of queries.getQueryCache().findAll({ queryKey: queryKeys.sessions(problem.site) })) {
		if (state.data && state.dataUpdatedAt > startedAt) void queries.invalidateQueries({ queryKey });
		else queries.setQueryData<SessionView | null>(queryKey, null);
	}
}

/**
 * Reads the session. If it changes during the request, the response might be outdated, and the session is read again.
 */
async function askSession(queries: QueryClient, backend: Backend, target: Target): Promise<SessionView | null> {
	const changes = () => queries.getQueryState(queryKeys.session(target))?.dataUpdateCount;
	const before = changes();
	const session = await backend.session(target);
	if (changes() !== before) return askSession(queries, backend, target);
	if (session) setLastSession(queries, session.site, session);
	return session;
}

/** Session at a site, and what its current server offers; `data` is `null` if no user is signed in. */
export function useSession(site: SiteView | null) {
	const backend = useBackend();
	const queries = useQueryClient();
	const target = site ? serverOf(site) : { site: "", server: null };
	return useQuery({
		queryKey: queryKeys.session(target),
		queryFn: () => askSession(queries, backend, target),
		enabled: site !== null,
		staleTime: 5 * 60_000,
	});
}

/** Last session at a site until the user signs out, also after it expired: the data on screen belongs to its user. */
export function useLastSession(site: SiteId): SessionView | null {
	const last = useQuery<SessionView | null>({
		queryKey: queryKeys.lastSession(site),
		queryFn: skipToken,
		// A session can expire long after the page that read it was left.
		gcTime: Number.POSITIVE_INFINITY,
	});
	return last.data ?? null;
}

/**
 * Cached session of a site: `null` if no user is signed in, `undefined` if it was not read or reading it failed. Sends
 * no request.
 */
export function useKnownSession(site: SiteView): SessionView | null | undefined {
	const backend = useBackend();
	const queries = useQueryClient();
	const target = serverOf(site);
	const known = useQuery({
		queryKey: queryKeys.session(target),
		queryFn: () => askSession(queries, backend, target),
		enabled: false,
	});
	return known.data;
}
