import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Backend, type Millis, type SiteId, type SiteView, type UpdateView, useBackend } from "@/bridge";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

export function sitesOf(backend: Backend) {
	return queryOptions({ queryKey: queryKeys.sites, queryFn: () => backend.listSites() });
}

/** Takes the sites that the program gave with the page. */
export function setSites(queries: QueryClient, sites: SiteView[], updatedAt: Millis): void {
	queries.setQueryData(queryKeys.sites, sites, { updatedAt });
}

/** A site that is there no more, with all that was read of it. */
export function forgetSite(queries: QueryClient, site: SiteId): void {
	queries.removeQueries({ queryKey: queryKeys.site(site) });
}

/** Takes what was read of a site for unread. */
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

/** How it stands with newer versions of the program. Nobody outside is asked by this. */
export function useUpdates() {
	const backend = useBackend();
	const queries = useQueryClient();
	useEffect(
		() => backend.onUpdate((now) => queries.setQueryData<UpdateView>(queryKeys.updates, now)),
		[backend, queries],
	);
	// Nothing was heard while the page was away.
	return useRead(queryKeys.updates, (backend) => backend.updateState(), {
		staleTime: 0,
	});
}

/** How often the state of forwarding is read while a page shows it, in milliseconds. */
const forwardingInterval = 2_000;

/** The log server, and how far it is. It is not asked. */
export function useForwarding() {
	return useRead(queryKeys.forwarding, (backend) => backend.forwarding(), {
		refetchInterval: forwardingInterval,
		staleTime: 0,
	});
}

/** The channels of alerts, and what the organization allows. No receiver is asked. */
export function useAlerts() {
	return useRead(queryKeys.alerts, (backend) => backend.alerts(), { staleTime: 0 });
}

export function useActiveFaults(enabled = true) {
	return useRead(queryKeys.activeFaults, (backend) => backend.listFaults(), {
		enabled,
	});
}

/** What needs attention on a site, and the facts of its portal and servers. The site is not asked. */
export function useSiteOverview(site: SiteId | null) {
	return useRead(queryKeys.overview(site ?? ""), (backend) => backend.siteOverview(site ?? ""), {
		enabled: site !== null,
		// What is checked or done elsewhere in the window is noted by the program: it costs a millisecond to look.
		staleTime: 0,
		// An invitation expires as time goes by.
		refetchInterval: 10 * 60_000,
	});
}

/** The worst of each site. No site is asked. */
export function useAllOverviews() {
	return useRead([...queryKeys.overviews, "all"], (backend) => backend.allOverviews(), {
		staleTime: 0,
		refetchInterval: 10 * 60_000,
	});
}

/** State of the guided tour. It is read again after a run, a simulated fault, an opened data item and a saved audit package. */
export function useGuidedTour() {
	return useRead(queryKeys.guidedTour, (backend) => backend.guidedTour());
}

/** Size and checksum of a file that this program saved. What it must not read, it does not look at. */
export function useFileFacts(path: string) {
	return useRead(queryKeys.fileFacts(path), (backend) => backend.fileFacts(path));
}

/** Whether an export has room on this computer. */
export function useRoomForCopy(): boolean {
	return useRead(queryKeys.roomForCopy, (backend) => backend.hasRoomForCopy()).data ?? false;
}

/** The pages of the help in a language, which are no answer of the program. */
export function useHelpPages<T>(language: string, load: () => Promise<T>) {
	return useRead(queryKeys.help(language), load, {
		staleTime: Number.POSITIVE_INFINITY,
	});
}
