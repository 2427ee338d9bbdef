import {
	type InfiniteData,
	keepPreviousData,
	type QueryClient,
	useInfiniteQuery,
	useQueries,
	useQuery,
} from "@tanstack/react-query";
import { useContext } from "react";
import {
	type Backend,
	type BatchId,
	type DamagedEntry,
	type HistoryBatch,
	type HistoryEntry,
	type HistoryKey,
	type HistoryPage,
	type HistoryPlace,
	type HistorySearch,
	type OperationKey,
	type Outcome,
	operations,
	type RecordId,
	type SiteId,
	type SiteView,
	type Target,
	useBackend,
} from "@/bridge";
import { AccountContext } from "../account";
import { newestEntries, newestEntry } from "../history-entries";
import { parameterOf } from "../history-text";
import { targetOf } from "../target";
import { queryKeys, useRead } from "./keys";

export function useHistoryPeople() {
	return useRead(queryKeys.found("people"), (backend) => backend.historyUsers());
}

const minute = 60_000;

/** Interval for reading the progress of a verification, in milliseconds. */
const verificationInterval = 250;

/**
 * State of the audit trail, with the progress of a verification, which might have started before the page was opened.
 */
export function useTrail(isVerifying: boolean) {
	return useRead(queryKeys.trail, (backend) => backend.trailStatus(), {
		refetchInterval: ({ state }) => (isVerifying || state.data?.verifying ? verificationInterval : false),
	});
}

/** Entries of all sites with an unknown outcome that no user has resolved. */
export function useUnknownRecords() {
	return useRead(queryKeys.found("unknown"), (backend) =>
		newestEntries(backend, { outcomes: ["unknown"] }, ({ isResolved }) => !isResolved),
	);
}

/** Report of an import from the history. Reads nothing if `record` is `null`. */
export function useImportReport(record: RecordId | null) {
	return useRead(queryKeys.report(record ?? ""), (backend) => backend.importReport(record ?? ""), {
		enabled: record !== null,
		// Reports are long, and only a later check changes them, which invalidates the query.
		staleTime: Number.POSITIVE_INFINITY,
	});
}

/** File of a recorded export, if the app can read it. */
export function useRecordedExport(record: RecordId) {
	// Files are moved and deleted outside the app.
	return useRead(queryKeys.recordedExport(record), (backend) => backend.recordedExport(record), { staleTime: 0 });
}

/** Entries of a batch, newest first, including those that the search does not match. */
export function useBatch(batch: BatchId) {
	return useQuery(batchQuery(useBackend(), batch));
}

/** Entries of several batches; `null` while a batch is read. */
export function useBatches(ids: readonly BatchId[]): ReadonlyMap<BatchId, readonly HistoryEntry[] | null> {
	const backend = useBackend();
	return useQueries({
		queries: ids.map((id) => batchQuery(backend, id)),
		combine: (results) => new Map(ids.map((id, at) => [id, results[at]?.data ?? null])),
	});
}

function batchQuery(backend: Backend, batch: BatchId) {
	return { queryKey: queryKeys.found("batch", batch), queryFn: () => backend.historyBatch(batch) };
}

/** Entry of the history with its requests. Reads nothing if `record` is `null`. */
export function useRecord(record: RecordId | null) {
	return useRead(queryKeys.record(record ?? ""), record === null ? null : (backend) => backend.recordDetails(record));
}

/** Removes cached history that is not on screen. */
export function forgetUnseenHistory(queries: QueryClient): void {
	queries.removeQueries({ queryKey: queryKeys.history, type: "inactive" });
}

/** User who set the outcome of an entry; `data` is `null` if none did. */
export function useOutcomeResolution(record: RecordId) {
	return useRead(queryKeys.outcomeResolution(record), (backend) => backend.outcomeResolution(record));
}

/** Recorded changes of a server since an import. An undo of the import reverts them, too. */
export function useChangesSince(record: RecordId) {
	return useRead(queryKeys.found("since", record), (backend) => backend.previewUndo(record), {
		staleTime: 0,
	});
}

/** Every outcome except that of a running request. */
const ended: Outcome[] = ["succeeded", "warnings", "failed", "unknown", "notSent"];

/** Newest entry of an operation on the target of its page; `null` if there is none, `undefined` until it is read. */
export function useLastEntry(operation: OperationKey, site: SiteView): HistoryEntry | null | undefined {
	const { server } = targetOf(operation, site);
	return useNewest(
		["last", operation, site.id, server],
		{ site: site.id, operation, outcomes: ended },
		(entry) => entry.server === server && !isSafetyBackup(entry),
	);
}

/** Safety backups are exports, but users did not start them as exports. */
const isSafetyBackup = ({ parameters }: HistoryEntry) => parameterOf(parameters, "purpose") !== "";

/** Suggested file of an export of a server. Its name contains the time. */
export function useSuggestedExport(target: Target) {
	return useRead(queryKeys.found("suggestedExport", target), (backend) => backend.suggestExport(target), {
		refetchInterval: minute,
	});
}

/** Every outcome except that of a request that was not sent. */
const sent: Outcome[] = ["sent", "succeeded", "warnings", "failed", "unknown"];

/**
 * Newest entry of a form that this account sent to the target of its page; `null` if there is none.
 *
 * The history keeps it without secrets. Requests of other accounts or to other servers can be used again from the
 * history.
 */
export function usePreviousValues(operation: OperationKey, site: SiteView): HistoryEntry | null {
	const username = useContext(AccountContext)?.username ?? null;
	const { server } = targetOf(operation, site);
	return (
		useNewest(
			["filledIn", site.id, operation, username, server],
			{ site: site.id, operation, username, outcomes: sent },
			// Undos and safety backups are left out: no user filled in a form for them.
			(entry) => entry.server === server && parameterOf(entry.parameters, "undoes") === "" && !isSafetyBackup(entry),
		) ?? null
	);
}

/** Limit of imports that a report can be compared with. */
const mostReports = 50;

/** Earlier imports of the same portal or server that have a report, newest first. */
export function useEarlierReports(own: HistoryEntry | undefined): readonly HistoryEntry[] {
	const earlier = useRead(
		queryKeys.found("reports", own?.id),
		own
			? (backend) =>
					newestEntries(
						backend,
						{ site: own.site, operation: own.operation, to: own.startedAt },
						({ id, hasReport, server }) => hasReport && id !== own.id && server === own.server,
						mostReports,
					)
			: null,
	);
	return earlier.data ?? [];
}

/** Import whose safety backup is this stored file; `null` if there is none. */
export function useBackedUp(site: SiteId, operation: OperationKey, upload: string): HistoryEntry | null {
	return (
		useNewest(
			["backedUp", site, upload],
			{ site, operation },
			({ parameters }) => parameterOf(parameters, "safetyBackup") === upload,
		) ?? null
	);
}

/** Entry that stored this upload before the given entry started; `null` if the history has none. */
export function useUploadOrigin(
	upload: string | null,
	entry: HistoryEntry,
	keys: readonly HistoryKey[],
): HistoryEntry | null {
	const { site, startedAt: to } = entry;
	const origin = useRead(
		queryKeys.found("origin", site, upload, to),
		upload === null
			? null
			: async (backend) => {
					for (const operation of keys) {
						const found = await newestEntry(backend, { site, operation, to }, (one) => one.upload === upload);
						if (found) return found;
					}
					return null;
				},
	);
	return origin.data ?? null;
}

/** Newest undo of an import that was not undone itself; `null` if there is none. */
export function useUndo(site: SiteId, operation: OperationKey, record: RecordId | null): HistoryEntry | null {
	const backend = useBackend();
	const undoOf = async (undone: RecordId): Promise<HistoryEntry | null> => {
		const undo = await newestEntry(
			backend,
			{ site, operation, outcomes: ["succeeded", "warnings"] },
			({ parameters }) => parameterOf(parameters, "undoes") === undone,
		);
		return undo?.hasSafetyBackup && (await undoOf(undo.id)) ? null : undo;
	};
	const found = useRead(queryKeys.found("undone", record), record === null ? null : () => undoOf(record));
	return found.data ?? null;
}

/** Operations that replace the data store items of a server. */
const replacing = operations.filter(({ impact, component }) => impact === "replaces" && component === "server");

/** Includes failed imports, which might have replaced parts of the site. */
const replaced: Outcome[] = ["succeeded", "warnings", "failed", "unknown"];

/** Time at which the app last replaced a server of a site, undo included; 0 if never. */
export function useReplacedAt(site: SiteId, enabled: boolean): number {
	const newest = useRead(
		queryKeys.found("replaced", site),
		(backend) =>
			Promise.all(replacing.map(({ key }) => newestEntry(backend, { site, operation: key, outcomes: replaced }))),
		{
			enabled,
		},
	);
	return Math.max(0, ...(newest.data ?? []).map((entry) => entry?.endedAt ?? entry?.startedAt ?? 0));
}

/**
 * Newest entry that fulfills a condition; `undefined` until it is read. `what` and `about` are the key of this search.
 */
function useNewest(
	[what, ...about]: readonly [string, ...unknown[]],
	search: Partial<HistorySearch>,
	fulfills: (entry: HistoryEntry) => boolean,
): HistoryEntry | null | undefined {
	return useRead(queryKeys.found(what, ...about), (backend) => newestEntry(backend, search, fulfills)).data;
}

const pageLength = 200;

/** Interval for reading entries whose outcome the plan runner writes, in milliseconds. */
const interval = 5_000;

type Pages = InfiniteData<HistoryPage, HistoryPlace | null>;

/**
 * Searches the history, newest first, page by page. Earlier results stay until the new ones arrive. A refetch reads
 * only what can have changed: new entries appear on top, and concluded pages stay.
 */
export function useHistory(search: HistorySearch) {
	const backend = useBackend();
	return useInfiniteQuery({
		queryKey: queryKeys.found("pages", search),
		queryFn: async ({ pageParam, client, queryKey }) => {
			const before = client.getQueryData<Pages>(queryKey);
			const kept = before && pageParam !== null ? keptPage(before, pageParam) : null;
			if (kept) return kept;
			const page = await backend.searchHistory(search, pageParam, pageLength);
			return before && pageParam === null ? onTop(page, before) : page;
		},
		initialPageParam: null as HistoryPlace | null,
		getNextPageParam: (page) => page.older,
		placeholderData: keepPreviousData,
		// The plan runner is another process and sends no events.
		refetchInterval: ({ state }) =>
			state.data?.pages.some(({ entries }) => entries.some(({ isInRunner }) => isInRunner)) ? interval : false,
	});
}

const eventsLength = 100;

/** Searches events of the audit trail by site, time, and kind, newest first, page by page. */
export function useTrailEvents(search: HistorySearch, kinds: string[]) {
	const backend = useBackend();
	return useInfiniteQuery({
		queryKey: queryKeys.found("events", search, kinds),
		queryFn: ({ pageParam }) => backend.trailEvents(search, kinds, pageParam, eventsLength),
		initialPageParam: null as number | null,
		getNextPageParam: (page) => page.older,
		placeholderData: keepPreviousData,
	});
}

/** Returns the batches of all pages. The first page is read most often, so its version of a batch takes precedence. */
export function batchesOn(pages: readonly HistoryPage[]): HistoryBatch[] {
	const all = new Map<BatchId, HistoryBatch>();
	for (const batch of pages.flatMap(({ batches }) => batches)) if (!all.has(batch.id)) all.set(batch.id, batch);
	return [...all.values()];
}

/** Returns the damaged entries of all pages. `after` at the start of a page is the last entry of the page before. */
export function damagedOn(pages: readonly HistoryPage[]): DamagedEntry[] {
	return pages.flatMap(({ damaged }, index) => {
		const before = pages[index - 1]?.entries.at(-1)?.id ?? null;
		return damaged.map((one) => ({ ...one, after: one.after ?? before }));
	});
}

/** Returns a page from the cache, unless the outcome of an entry can still change. */
function keptPage({ pages, pageParams }: Pages, at: HistoryPlace): HistoryPage | null {
	const page = pages[pageParams.indexOf(at)];
	return page?.entries.every(isConcluded) ? page : null;
}

function isConcluded({ outcome }: HistoryEntry): boolean {
	return outcome !== "sent" && outcome !== "unknown";
}

/**
 * Returns the newest page, followed by the entries that new ones pushed out of it, so that the next page begins where
 * it did before.
 */
function onTop(newest: HistoryPage, { pages: [first] }: Pages): HistoryPage {
	const last = newest.entries.at(-1)?.id;
	const place = first?.entries.findIndex(({ id }) => id === last) ?? -1;
	const pushedOut = first?.entries.slice(place + 1) ?? [];
	// There is nothing older, or the new page does not reach the old one: the following pages are read again.
	if (!first || newest.older === null || place < 0 || !pushedOut.every(isConcluded)) return newest;
	const damaged = first.damaged.filter(({ after }) => pushedOut.some(({ id }) => id === after));
	return {
		entries: [...newest.entries, ...pushedOut],
		batches: batchesOn([newest, first]),
		damaged: [...newest.damaged, ...damaged],
		older: first.older,
	};
}
