import { QueryClient, type QueryKey, queryOptions, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import {
	type Backend,
	type DeactivationId,
	type ExportLocation,
	type Millis,
	type OperationForm,
	type OperationKey,
	type Problem,
	type RecordId,
	type SearchId,
	type SessionView,
	type SiteId,
	type SiteView,
	type Target,
	type UpdateView,
	useBackend,
} from "@/bridge";
import { serverOf } from "./target";

declare module "@tanstack/react-query" {
	interface Register {
		defaultError: Problem;
	}
}

export function createQueryClient(): QueryClient {
	return new QueryClient({
		defaultOptions: {
			// The program decides what is worth a second try, and it answers without a network too.
			queries: { retry: false, networkMode: "always", staleTime: 30_000, refetchOnWindowFocus: false },
			mutations: { retry: false, networkMode: "always" },
		},
	});
}

const sessions = (site: SiteId) => ["site", site, "session"];
const ofServer = ({ site, server }: Target) => ["site", site, "server", server];

export const queryKeys = {
	sites: ["sites"],
	practice: ["practice"],
	about: ["about"],
	updates: ["updates"],
	forwarding: ["forwarding"],
	reminders: ["reminders"],
	history: ["history"],
	activeFaults: ["active-faults"],
	guidedTour: ["guided-tour"],
	session: ({ site, server }: Target) => [...sessions(site), server],
	lastSession: (site: SiteId) => ["site", site, "lastSession"],
	checkTokenExpiry: (target: Target, operation: OperationKey) => [...ofServer(target), "checkTokenExpiry", operation],
	keptInvitations: (site: SiteId) => ["site", site, "keptInvitations"],
	foundServers: (site: SiteId) => ["site", site, "foundServers"],
	services: (target: Target) => [...ofServer(target), "services"],
	dataRoots: (target: Target) => [...ofServer(target), "dataRoots"],
	itemSearch: (target: Target) => [...ofServer(target), "itemSearch"],
	itemRows: (target: Target, search: SearchId) => [...ofServer(target), "itemRows", search],
	itemChecks: (target: Target) => [...ofServer(target), "itemChecks"],
	itemFilters: (site: SiteId) => ["site", site, "itemFilters"],
	uploads: (target: Target) => [...ofServer(target), "uploads"],
	storedFile: (target: Target, upload: string) => [...ofServer(target), "uploads", upload],
	fileFacts: (path: string) => ["fileFacts", path],
	roomForCopy: ["roomForCopy"],
	unfinishedUploads: (target: Target) => [...ofServer(target), "unfinishedUploads"],
	comparison: (target: Target, location: ExportLocation | null) => [...ofServer(target), "comparison", location],
	laterChecks: (site: SiteId, first: Millis) => ["site", site, "laterChecks", first],
	changeSummary: (target: Target) => [...ofServer(target), "changeSummary"],
	contactRun: (site: SiteId) => ["site", site, "contactRun"],
	participants: (site: SiteId) => ["site", site, "participants"],
	deactivations: (site: SiteId) => ["site", site, "deactivations"],
	/** What needs attention on each site. What changes the history changes it, too. */
	overviews: ["history", "overviews"],
	overview: (site: SiteId) => ["history", "overviews", site],
	activeAgain: (target: Target) => [...ofServer(target), "services", "activeAgain"],
	report: (record: string) => ["report", record],
	records: ["record"],
	record: (record: string) => ["record", record],
	checklist: (record: string) => ["checklist", record],
	outcomeResolution: (record: string) => ["outcomeResolution", record],
	requestPreview: (target: Target, form: OperationForm) => ["requestPreview", target, form],
	invitations: (site: SiteId) => ["site", site, "invitations"],
} as const;

export function sitesOf(backend: Backend) {
	return queryOptions({ queryKey: queryKeys.sites, queryFn: () => backend.listSites() });
}

export function setSession(queries: QueryClient, session: SessionView): void {
	queries.setQueryData(queryKeys.session(session), session);
	setLastSession(queries, session.site, session);
}

/** After a sign-out. A session that ends by itself is only no longer there, see {@link useLastSession}. */
export function forgetSession(queries: QueryClient, site: SiteId): void {
	queries.setQueriesData({ queryKey: sessions(site) }, null);
	setLastSession(queries, site, null);
}

/** What was read of the site for another user goes; where it is on screen, it is read again. */
function setLastSession(queries: QueryClient, site: SiteId, session: SessionView | null): void {
	const before = queries.getQueryData<SessionView | null>(queryKeys.lastSession(site));
	queries.setQueryData(queryKeys.lastSession(site), session);
	if (!before || before.username === session?.username) return;
	const isOwn = ({ queryKey: [, , what] }: { queryKey: QueryKey }) => what === "session" || what === "lastSession";
	void queries.resetQueries({ queryKey: ["site", site], predicate: (query) => !isOwn(query) });
}

/** Another sign-in lasts longer and sees other things: what the site was asked before is asked again. */
export async function takeSession(queries: QueryClient, session: SessionView) {
	setSession(queries, session);
	const stale = [queryKeys.sites, ["site", session.site], queryKeys.overviews];
	await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/**
 * A site that wants a sign-in has no session: nobody need ask it who is signed in. Its servers may have their own.
 * A session that is newer than the run that ended so may be valid, and only the site knows.
 */
export function noteEndOfSession(queries: QueryClient, problem: Problem, startedAt: Millis): void {
	if (problem.kind !== "signIn" || problem.server !== null) return;
	for (const { queryKey, state } of queries.getQueryCache().findAll({ queryKey: sessions(problem.site) })) {
		if (state.data && state.dataUpdatedAt > startedAt) void queries.invalidateQueries({ queryKey });
		else queries.setQueryData<SessionView | null>(queryKey, null);
	}
}

export function useSites() {
	return useQuery(sitesOf(useBackend()));
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

/** Who was signed in when the site was asked last, without asking it. */
export function useKnownSession(site: SiteView): SessionView | null {
	const backend = useBackend();
	const queries = useQueryClient();
	const target = serverOf(site);
	const known = useQuery({
		queryKey: queryKeys.session(target),
		queryFn: () => askSession(queries, backend, target),
		enabled: false,
	});
	return known.data ?? null;
}

export function usePractice() {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.practice, queryFn: () => backend.practice() });
}

export function useAbout() {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.about, queryFn: () => backend.about(), staleTime: Number.POSITIVE_INFINITY });
}

/** How it stands with newer versions of the program. Nobody outside is asked by this. */
export function useUpdates() {
	const backend = useBackend();
	const queries = useQueryClient();
	useEffect(
		() => backend.onUpdate((now) => queries.setQueryData<UpdateView>(queryKeys.updates, now)),
		[backend, queries],
	);
	// Nothing was heard while the page was away.
	return useQuery({ queryKey: queryKeys.updates, queryFn: () => backend.updateState(), staleTime: 0 });
}

export function useActiveFaults(enabled = true) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.activeFaults, queryFn: () => backend.listFaults(), enabled });
}

/** Sent, and nobody knows what became of it, on all sites. They wait for a person to find out, or to leave it unknown. */
export function useUnknownRecords() {
	const backend = useBackend();
	const search = {
		text: "",
		site: null,
		operation: null,
		username: null,
		outcomes: ["unknown" as const],
		from: null,
		to: null,
	};
	return useQuery({
		queryKey: [...queryKeys.history, "unknown"],
		queryFn: async () => {
			const { entries } = await backend.searchHistory(search, null, 500);
			return entries.filter(({ isResolved }) => !isResolved);
		},
	});
}

/** The report of an import, as the history keeps it; asks for nothing while there is none to ask for. */
export function useImportReport(record: RecordId | null) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.report(record ?? ""),
		queryFn: () => backend.importReport(record ?? ""),
		enabled: record !== null,
		// It may be long, and changes by a later check alone: no run makes it be fetched again.
		staleTime: "static",
	});
}

/** An entry of the history with its requests; asks for nothing while there is none to ask for. */
export function useRecord(record: RecordId | null) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.record(record ?? ""),
		queryFn: record === null ? skipToken : () => backend.recordDetails(record),
	});
}

/** Refreshed invitations that wait to be saved, also those of an earlier start of the app. */
export function useUnsavedInvitations(site: SiteId, options: { staleTime?: number } = {}) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.keptInvitations(site),
		queryFn: () => backend.listUnsavedInvitations(site),
		...options,
	});
}

/** What is due, on all sites. */
export function useReminders() {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.reminders,
		queryFn: () => backend.reminders(),
		refetchInterval: 10 * 60_000,
	});
}

export function useServices(target: Target) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.services(target), queryFn: () => backend.listServices(target) });
}

/** What needs attention on a site, and the facts of its portal and servers. The site is not asked. */
export function useSiteOverview(site: SiteId | null) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.overview(site ?? ""),
		queryFn: () => backend.siteOverview(site ?? ""),
		enabled: site !== null,
		// What is checked or done elsewhere in the window is noted by the program: it costs a millisecond to look.
		staleTime: 0,
		// An invitation expires as time goes by.
		refetchInterval: 10 * 60_000,
	});
}

/** The worst of each site. No site is asked. */
export function useAllOverviews() {
	const backend = useBackend();
	return useQuery({
		queryKey: [...queryKeys.overviews, "all"],
		queryFn: () => backend.allOverviews(),
		staleTime: 0,
		refetchInterval: 10 * 60_000,
	});
}

export function useDeactivations(site: SiteId) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.deactivations(site), queryFn: () => backend.listDeactivations(site) });
}

/**
 * What of the log is active on the site again, by entry: the names. The site is asked whenever what shows this is opened;
 * with `enabled` false, what was read before is returned.
 */
export function useActiveAgain(target: Target, enabled = true): ReadonlyMap<DeactivationId, readonly string[]> {
	const backend = useBackend();
	const { data } = useQuery({
		queryKey: queryKeys.activeAgain(target),
		queryFn: () => backend.compareDeactivations(target),
		enabled,
		staleTime: 0,
	});
	return useMemo(() => new Map(data?.map(({ entry, webhooks }) => [entry, webhooks])), [data]);
}

export function useDataRoots(target: Target) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.dataRoots(target), queryFn: () => backend.listDataRoots(target) });
}

/** What was found last of data items; `data` is `null` when nothing is held. */
export function useItemSearch(target: Target) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.itemSearch(target), queryFn: () => backend.lastItemSearch(target) });
}

export function useUploads(target: Target) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.uploads(target), queryFn: () => backend.listUploads(target) });
}

export function useParticipants(site: SiteId) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.participants(site), queryFn: () => backend.listParticipants(site) });
}

export function useInvitations(site: SiteId) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.invitations(site), queryFn: () => backend.listInvitations(site) });
}
