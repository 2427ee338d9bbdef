import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Backend, type Millis, type SiteId, type SiteView, type UpdateView, useBackend } from "@/bridge";
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

/** Size and checksum of a file that the app saved. The backend rejects other files. */
export function useFileFacts(path: string) {
	return useRead(queryKeys.fileFacts(path), (backend) => backend.fileFacts(path));
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
