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

/** After a sign-out. A session that ends by itself is only no longer there, see {@link useLastSession}. */
export function forgetSession(queries: QueryClient, site: SiteId): void {
	queries.setQueriesData({ queryKey: queryKeys.sessions(site) }, null);
	setLastSession(queries, site, null);
}

/** What was read of the site for another user goes; where it is on screen, it is read again. */
function setLastSession(queries: QueryClient, site: SiteId, session: SessionView | null): void {
	const before = queries.getQueryData<SessionView | null>(queryKeys.lastSession(site));
	queries.setQueryData(queryKeys.lastSession(site), session);
	if (!before || before.username === session?.username) return;
	const isOwn = ({ queryKey: [, , what] }: { queryKey: QueryKey }) => what === "session" || what === "lastSession";
	void queries.resetQueries({ queryKey: queryKeys.site(site), predicate: (query) => !isOwn(query) });
}

/** Another sign-in lasts longer and sees other things: what the site was asked before is asked again. */
export async function takeSession(queries: QueryClient, session: SessionView) {
	setSession(queries, session);
	const stale = [queryKeys.sites, queryKeys.site(session.site), queryKeys.overviews];
	await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/**
 * A site that wants a sign-in has no session: nobody need ask it who is signed in. Its servers may have their own.
 * A session that is newer than the run that ended so may be valid, and only the site knows.
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
 * Asks who is signed in. If the user changes meanwhile, the response may be of before: it is asked once more.
 */
async function askSession(queries: QueryClient, backend: Backend, target: Target): Promise<SessionView | null> {
	const changes = () => queries.getQueryState(queryKeys.session(target))?.dataUpdateCount;
	const before = changes();
	const session = await backend.session(target);
	if (changes() !== before) return askSession(queries, backend, target);
	if (session) setLastSession(queries, session.site, session);
	return session;
}

/** Who is signed in on the site, and what the current server offers; `data` is `null` if no user is. */
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

/** The session of whoever did not sign out, also after it ended by itself: what is on screen is theirs. */
export function useLastSession(site: SiteId): SessionView | null {
	const last = useQuery<SessionView | null>({
		queryKey: queryKeys.lastSession(site),
		queryFn: skipToken,
		// A session can end while another page is open, long after its own page was left.
		gcTime: Number.POSITIVE_INFINITY,
	});
	return last.data ?? null;
}

/** Who was signed in when the site was asked last, without asking it; `null` if no user was, `undefined` if it was not asked. */
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
