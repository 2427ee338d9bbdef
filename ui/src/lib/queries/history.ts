import { type QueryClient, useQueries, useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import {
	type Backend,
	type BatchId,
	type HistoryEntry,
	type HistoryKey,
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
import { newestEntries, newestEntry } from "../entries";
import { parameterOf } from "../parameter-of";
import { targetOf } from "../target-of";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

/** Everybody who has a record. */
export function useHistoryPeople() {
	return useRead(queryKeys.found("people"), (backend) => backend.historyUsers());
}

const minute = 60_000;

/** How often the progress of a verification is read, in milliseconds. */
const verificationInterval = 250;

/** State of the audit trail, with the progress of a verification, which may have begun before the page was opened. */
export function useTrail(isVerifying: boolean) {
	return useRead(queryKeys.trail, (backend) => backend.trailStatus(), {
		refetchInterval: ({ state }) => (isVerifying || state.data?.verifying ? verificationInterval : false),
	});
}

/** Sent, and nobody knows what became of it, on all sites. They wait for a person to find out, or to leave it unknown. */
export function useUnknownRecords() {
	return useRead(queryKeys.found("unknown"), (backend) =>
		newestEntries(backend, { outcomes: ["unknown"] }, ({ isResolved }) => !isResolved),
	);
}

/** The report of an import, as the history keeps it; asks for nothing while there is none to ask for. */
export function useImportReport(record: RecordId | null) {
	return useRead(queryKeys.report(record ?? ""), (backend) => backend.importReport(record ?? ""), {
		enabled: record !== null,
		// It may be long, and changes by a later check alone, which makes it stale.
		staleTime: Number.POSITIVE_INFINITY,
	});
}

/** The file of a recorded export, if the app can read it. */
export function useRecordedExport(record: RecordId) {
	// Files come and go without the app.
	return useRead(queryKeys.recordedExport(record), (backend) => backend.recordedExport(record), { staleTime: 0 });
}

/** All entries of a batch, newest first, also those that a search does not find. */
export function useBatch(batch: BatchId) {
	return useQuery(batchQuery(useBackend(), batch));
}

/** What several batches hold; `null` while it is read. */
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

/** An entry of the history with its requests; asks for nothing while there is none to ask for. */
export function useRecord(record: RecordId | null) {
	return useRead(queryKeys.record(record ?? ""), record === null ? null : (backend) => backend.recordDetails(record));
}

/** Has what is not on screen read from the beginning when it is shown again. */
export function forgetUnseenHistory(queries: QueryClient): void {
	queries.removeQueries({ queryKey: queryKeys.history, type: "inactive" });
}

/** Who set the outcome of an entry; `data` is `null` if nobody did. */
export function useOutcomeResolution(record: RecordId) {
	return useRead(queryKeys.outcomeResolution(record), (backend) => backend.outcomeResolution(record));
}

/** The recorded changes of a server since an import, which an undo of it undoes as well. */
export function useChangesSince(record: RecordId) {
	return useRead(queryKeys.found("since", record), (backend) => backend.previewUndo(record), {
		staleTime: 0,
	});
}

/** Every outcome but the one of a request that is on its way. */
const ended: Outcome[] = ["succeeded", "warnings", "failed", "unknown", "notSent"];

/** The newest history entry of an operation on what its page acts on; `null` when there is none, `undefined` until it is read. */
export function useLastEntry(operation: OperationKey, site: SiteView): HistoryEntry | null | undefined {
	const { server } = targetOf(operation, site);
	return useNewest(
		["last", operation, site.id, server],
		{ site: site.id, operation, outcomes: ended },
		(entry) => entry.server === server && !isSafetyBackup(entry),
	);
}

/** Whether an import had this export made: nobody asked for it on the page of exports. */
const isSafetyBackup = ({ parameters }: HistoryEntry) => parameterOf(parameters, "purpose") !== "";

/** File that an export of a server would become; its name has the time. */
export function useSuggestedExport(target: Target) {
	return useRead(queryKeys.found("suggestedExport", target), (backend) => backend.suggestExport(target), {
		refetchInterval: minute,
	});
}

/** Every outcome but the one of a request that was not sent. */
const sent: Outcome[] = ["sent", "succeeded", "warnings", "failed", "unknown"];

/**
 * The newest record of a request that the person filled in and sent, for an operation on what its page acts on. The history
 * keeps it without secrets. `null` when there is none; what another account sent, or this one to another server, can be
 * filled in from the history.
 */
export function usePreviousValues(operation: OperationKey, site: SiteView): HistoryEntry | null {
	const username = useContext(AccountContext)?.username ?? null;
	const { server } = targetOf(operation, site);
	return (
		useNewest(
			["filledIn", site.id, operation, username, server],
			{ site: site.id, operation, username, outcomes: sent },
			// What undoes an import, and a safety backup before one, were filled in by nobody.
			(entry) => entry.server === server && parameterOf(entry.parameters, "undoes") === "" && !isSafetyBackup(entry),
		) ?? null
	);
}

/** Imports of one site that a report can be compared with. */
const mostReports = 50;

/** Earlier imports of the site of an entry that have a report, newest first. */
export function useEarlierReports(own: HistoryEntry | undefined): readonly HistoryEntry[] {
	const earlier = useRead(
		queryKeys.found("reports", own?.id),
		own
			? (backend) =>
					newestEntries(
						backend,
						{ site: own.site, operation: own.operation, to: own.startedAt },
						({ id, hasReport }) => hasReport && id !== own.id,
						mostReports,
					)
			: null,
	);
	return earlier.data ?? [];
}

/** The import that a stored file is the safety backup of; `null` if it is that of none. */
export function useBackedUp(site: SiteId, operation: OperationKey, upload: string): HistoryEntry | null {
	return (
		useNewest(
			["backedUp", site, upload],
			{ site, operation },
			({ parameters }) => parameterOf(parameters, "safetyBackup") === upload,
		) ?? null
	);
}

/** The record of what brought a file among the uploads of a site before a moment; `null` when the history has none. */
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

/** The newest record that undid an import and was not undone itself; `null` when there is none. */
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

/** Operations after which a server has other data store items. */
const replacing = operations.filter(({ impact, component }) => impact === "replaces" && component === "server");

/** Also of one that failed: it might have replaced parts of the site. */
const replaced: Outcome[] = ["succeeded", "warnings", "failed", "unknown"];

/** When the servers of a site were last replaced from this program, which an undo does, too; 0 if never. */
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

/** The newest entry that fulfills a condition, by what tells this search from others; `undefined` until it is read. */
function useNewest(
	[what, ...about]: readonly [string, ...unknown[]],
	search: Partial<HistorySearch>,
	fulfills: (entry: HistoryEntry) => boolean,
): HistoryEntry | null | undefined {
	return useRead(queryKeys.found(what, ...about), (backend) => newestEntry(backend, search, fulfills)).data;
}
