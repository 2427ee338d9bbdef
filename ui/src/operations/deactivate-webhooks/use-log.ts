import { useMemo } from "react";
import type { DeactivationView, ServiceView, SiteView } from "@/bridge";
import { useDeactivations, useServices } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";

/** Whether a server that listed all services no longer has one at a path. `false` if the list is incomplete. */
export function isGone(services: readonly ServiceView[] | undefined, path: string): boolean {
	return services?.every((one) => one.gap === null && one.path !== "" && one.path !== path) ?? false;
}

/** Deactivation log of a server, with the current state of each entry. The page must compare the log. */
export function useLog(site: SiteView) {
	const target = serverOf(site);
	const log = useDeactivations(target);
	// Cached services: showing the log sends no request.
	const services = useServices(target, { enabled: false });
	const last = services.error ? undefined : services.data;
	const entries = log.data;
	return useMemo(() => {
		const open = (entries ?? []).filter(({ resolvedAt }) => resolvedAt === null);
		const gone = new Set(open.filter(({ service }) => isGone(last, service)).map(({ id }) => id));
		/** Entries whose webhooks can be reactivated. */
		const left = open.filter((entry) => entry.left?.length && !gone.has(entry.id));
		return { entries: entries ?? [], isRead: entries !== undefined, open, gone, left };
	}, [entries, last]);
}

/** Groups open entries by service. A service can have several. */
export function byService(open: readonly DeactivationView[]): ReadonlyMap<string, readonly DeactivationView[]> {
	const entries = new Map<string, DeactivationView[]>();
	for (const entry of open) entries.set(entry.service, [...(entries.get(entry.service) ?? []), entry]);
	return entries;
}
