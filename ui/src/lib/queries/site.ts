import { keepPreviousData, type QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
	type Backend,
	type DeactivationId,
	type ExportLocation,
	type OperationForm,
	type OperationKey,
	type RecordId,
	type ServiceCheck,
	type SiteId,
	type SiteView,
	type Target,
	useBackend,
} from "@/bridge";
import { queryKeys } from "./keys";

export function useServices(target: Target) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.services(target), queryFn: () => backend.listServices(target) });
}

/** Has the services read again, and the deactivation log compared with them. */
export function rereadServices(queries: QueryClient, target: Target): void {
	void queries.refetchQueries({ queryKey: queryKeys.services(target), type: "active" });
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

/** Refreshed invitations that wait to be saved, also those of an earlier start of the app. */
export function useUnsavedInvitations(site: SiteId, options: { staleTime?: number } = {}) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.keptInvitations(site),
		queryFn: () => backend.listUnsavedInvitations(site),
		...options,
	});
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

/** The servers that the portal of a site lists. */
export function useFoundServers(site: SiteView) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.foundServers(site.id),
		queryFn: () => backend.findServers(site.id),
		enabled: site.portal !== null,
	});
}

/** Result of the last contacts file. */
export function useLastContactsBatch(site: SiteId) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.contactRun(site), queryFn: () => backend.lastContactsBatch(site) });
}

/** Whether the token is likely to end before the operation. A token can expire while a form is filled in; no site is asked. */
export function useTokenExpiry(target: Target, operation: OperationKey) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.checkTokenExpiry(target, operation),
		queryFn: () => backend.checkTokenExpiry(target, operation),
		refetchInterval: 30_000,
	});
}

/** What will be sent for a form, as it is filled in. It may hold the key of an account. */
export function useRequestPreview(target: Target, form: OperationForm, enabled: boolean) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.requestPreview(target, form),
		queryFn: () => backend.previewRequests(target, form),
		enabled,
		placeholderData: keepPreviousData,
		gcTime: 0,
	});
}

/** How large a stored file is, and where it is on this computer. */
export function useStoredFile(target: Target, upload: string) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.storedFile(target, upload),
		queryFn: () => backend.storedFile(target, upload),
	});
}

export function useUnfinishedUploads(target: Target) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.unfinishedUploads(target),
		queryFn: () => backend.listUnfinishedUploads(target),
	});
}

/** What the program says is about to happen. */
export function useChangeSummary(target: Target) {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.changeSummary(target), queryFn: () => backend.previewImport(target) });
}

/** Compares the server with an export; not while that is `null`. */
export function useExportComparison(target: Target, location: ExportLocation | null) {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.comparison(target, location),
		// What an import is decided by is compared anew whenever its file, server, or site was changed, or the form is opened.
		staleTime: 0,
		queryFn: location === null ? skipToken : () => backend.compareWithExport(target, location),
	});
}

/** One more check of the services after an import, behind those that were made. */
export function laterCheckOf(
	backend: Backend,
	queries: QueryClient,
	target: Target,
	record: RecordId | null,
	made: readonly ServiceCheck[],
	onChecked: (record: RecordId) => void,
) {
	const queryKey = queryKeys.laterChecks(target.site, made[0]?.checkedAt ?? 0);
	return queryOptions({
		queryKey,
		queryFn: async () => {
			const check = await (record === null
				? backend.checkServices(target)
				: backend.checkServicesAgain(target.site, record));
			if (record !== null) onChecked(record);
			return [...(queries.getQueryData<ServiceCheck[]>(queryKey) ?? made), check];
		},
	});
}
