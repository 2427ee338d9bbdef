import { type QueryClient, type QueryKey, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import {
	type Backend,
	type Millis,
	type Problem,
	type SessionView,
	type SiteId,
	type SiteView,
	type Target,
	useBackend,
} from "@/bridge";
import { serverOf } from "../target";
import { queryKeys } from "./keys";

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

/** Cached session of a site: `null` if no user is signed in, `undefined` if it was not read, or could not be. Sends no request. */
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
