import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type {
	Backend,
	DeactivationView,
	ExportLocation,
	OperationForm,
	OperationKey,
	RecordId,
	ServiceCheck,
	SiteId,
	SiteView,
	Target,
	WebhookOfService,
} from "@/bridge";
import { queryKeys, useRead } from "./keys";

export function useServices(target: Target, options: { enabled?: boolean } = {}) {
	return useRead(queryKeys.services(target), (backend) => backend.listServices(target), options);
}

/** Failed deliveries of webhooks. Each webhook takes a request. Read again with the services. */
export function useFailedDeliveries(target: Target, webhooks: WebhookOfService[]) {
	return useRead(queryKeys.deliveries(target, webhooks), (backend) => backend.listFailedDeliveries(target, webhooks), {
		enabled: webhooks.length > 0,
	});
}

/** Reads the services again and compares the deactivation log with them. */
export function rereadServices(queries: QueryClient, target: Target): void {
	void queries.refetchQueries({ queryKey: queryKeys.services(target), type: "active" });
}

/** Entries of the deactivation log of a server, and those with an unknown server. */
export function useDeactivations({ site, server }: Target) {
	return useRead(queryKeys.deactivations(site), (backend) => backend.listDeactivations(site), {
		select: useCallback(
			(all: DeactivationView[]) => all.filter((one) => one.server === null || one.server === server),
			[server],
		),
	});
}

/**
 * Compares the deactivation log with the site: each time a component with this hook mounts, or only on `refetch` if
 * `enabled` is false. The result replaces the data of {@link useDeactivations}.
 */
export function useLogComparison(target: Target, enabled = true) {
	const queries = useQueryClient();
	const compare = async (backend: Backend) => {
		const log = await backend.compareDeactivations(target);
		queries.setQueryData(queryKeys.deactivations(target.site), log);
		return log;
	};
	return useRead(queryKeys.activeAgain(target), compare, { enabled, staleTime: 0 });
}

export function useDataRoots(target: Target) {
	return useRead(queryKeys.dataRoots(target), (backend) => backend.listDataRoots(target));
}

/** Refreshed invitations without a saved file, including those of earlier starts of the app. */
export function useUnsavedInvitations(site: SiteId, options: { staleTime?: number } = {}) {
	return useRead(queryKeys.keptInvitations(site), (backend) => backend.listUnsavedInvitations(site), {
		...options,
	});
}

export function useUploads(target: Target) {
	return useRead(queryKeys.uploads(target), (backend) => backend.listUploads(target));
}

export function useParticipants(site: SiteId) {
	return useRead(queryKeys.participants(site), (backend) => backend.listParticipants(site));
}

export function useInvitations(site: SiteId) {
	return useRead(queryKeys.invitations(site), (backend) => backend.listInvitations(site));
}

/** Servers that the portal of a site lists. */
export function useFoundServers(site: SiteView) {
	return useRead(queryKeys.foundServers(site.id), (backend) => backend.findServers(site.id), {
		enabled: site.portal !== null,
	});
}

export function useLastContactsBatch(site: SiteId) {
	return useRead(queryKeys.contactRun(site), (backend) => backend.lastContactsBatch(site));
}

/**
 * Whether the token might expire before the operation ends. Read at intervals, because time passes while a form is
 * filled in; sends no request to the site.
 */
export function useTokenExpiry(target: Target, operation: OperationKey) {
	return useRead(
		queryKeys.checkTokenExpiry(target, operation),
		(backend) => backend.checkTokenExpiry(target, operation),
		{
			refetchInterval: 30_000,
		},
	);
}

/** Request preview of a form. Not cached, because it can contain an account key. */
export function useRequestPreview(target: Target, form: OperationForm, enabled: boolean) {
	return useRead(queryKeys.requestPreview(target, form), (backend) => backend.previewRequests(target, form), {
		enabled,
		placeholderData: keepPreviousData,
		gcTime: 0,
	});
}

export function useStoredFile(target: Target, upload: string) {
	return useRead(queryKeys.storedFile(target, upload), (backend) => backend.storedFile(target, upload));
}

export function useUnfinishedUploads(target: Target) {
	return useRead(queryKeys.unfinishedUploads(target), (backend) => backend.listUnfinishedUploads(target));
}

export function useChangeSummary(target: Target) {
	return useRead(queryKeys.changeSummary(target), (backend) => backend.previewImport(target));
}

/** Compares the server with an export. Reads nothing if `location` is `null`. */
export function useExportComparison(target: Target, location: ExportLocation | null) {
	return useRead(
		queryKeys.comparison(target, location),
		location === null ? null : (backend) => backend.compareWithExport(target, location),
		{
			// The comparison decides about an import, so it is read anew each time the form opens or its values change.
			staleTime: 0,
		},
	);
}

/** Query of a further check of the services after an import, in addition to the checks in `made`. */
export function laterCheckOf(
	backend: Backend,
	queries: QueryClient,
	target: Target,
	record: RecordId | null,
	made: readonly ServiceCheck[],
	onChecked: (record: RecordId | null) => void,
) {
	const queryKey = queryKeys.laterChecks(target.site, made[0]?.checkedAt ?? 0);
	return queryOptions({
		queryKey,
		queryFn: async () => {
			const check = await (record === null
				? backend.checkServices(target)
				: backend.checkServicesAgain(target.site, record));
			onChecked(record);
			return [...(queries.getQueryData<ServiceCheck[]>(queryKey) ?? made), check];
		},
	});
}

/** Interval for reading whether a check ended, in milliseconds. Sends no request to the site. */
const pollInterval = 2_000;

/** Last check of a whole site. After an import, it is read at intervals until it belongs to that import. */
export function useSiteProof(site: SiteId, awaited: RecordId | null = null) {
	return useRead(queryKeys.siteProof(site), (backend) => backend.siteProof(site), {
		staleTime: 0,
		refetchInterval: ({ state: { data } }) => {
			const isAwaited = awaited !== null && data?.import !== awaited;
			return data?.isWaiting || isAwaited ? pollInterval : false;
		},
	});
}

/** Effects of a portal import, and the exports that can be imported. */
export function usePortalChangeSummary(site: SiteId) {
	return useRead(queryKeys.portalImport(site), (backend) => backend.previewPortalImport(site));
}

/** Compares a portal with an export. Reads nothing if `location` is `null`. */
export function usePortalExportComparison(site: SiteId, location: string | null) {
	return useRead(
		queryKeys.portalComparison(site, location),
		location === null ? null : (backend) => backend.compareWithPortalExport(site, location),
		// The comparison decides about an import, so it is read anew each time the form opens.
		{ staleTime: 0 },
	);
}

/** Report of a portal import from the history. Reads nothing if `record` is `null`. */
export function usePortalImportReport(record: RecordId | null) {
	return useRead(
		queryKeys.portalReport(record ?? ""),
		record === null ? null : (backend) => backend.portalImportReport(record),
	);
}
