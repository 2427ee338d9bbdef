import { useMemo } from "react";
import type { DeactivationView, ServiceView, SiteView } from "@/bridge";
import { useDeactivations, useServices } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";

/** Whether a server that listed all of its services has none at a path any more. One that lists a part is not asked. */
export function isGone(services: readonly ServiceView[] | undefined, path: string): boolean {
	return services?.every((one) => one.gap === null && one.path !== "" && one.path !== path) ?? false;
}

/** The open entries of the log of a server, with what is known of each now. The page has the log compared. */
export function useLog(site: SiteView) {
	const target = serverOf(site);
	const log = useDeactivations(target);
	// As they were read last: what only shows the log asks for no list.
	const services = useServices(target, { enabled: false });
	const last = services.error ? undefined : services.data;
	const entries = log.data;
	return useMemo(() => {
		const open = (entries ?? []).filter(({ resolvedAt }) => resolvedAt === null);
		const gone = new Set(open.filter(({ service }) => isGone(last, service)).map(({ id }) => id));
		/** Those whose webhooks another reactivation can bring back. */
		const left = open.filter((entry) => entry.left?.length && !gone.has(entry.id));
		return { entries: entries ?? [], isRead: entries !== undefined, open, gone, left };
	}, [entries, last]);
}

/** The entries whose webhooks are deactivated still, by their services: of one, several can be open. */
export function byService(open: readonly DeactivationView[]): ReadonlyMap<string, readonly DeactivationView[]> {
	const entries = new Map<string, DeactivationView[]>();
	for (const entry of open) entries.set(entry.service, [...(entries.get(entry.service) ?? []), entry]);
	return entries;
}
