import { type OperationKey, operations, type ServerId, type SiteView, type Target } from "@/bridge";

export function serverOf({ id, currentServer }: Pick<SiteView, "id" | "currentServer">): Target {
	return { site: id, server: currentServer };
}

/**
 * Returns a site with another current server; `null` if it has no such server. `server`: `null` leaves the site
 * unchanged.
 */
export function atServer(site: SiteView, server: ServerId | null): SiteView | null {
	if (server === null || server === site.currentServer) return site;
	const there = site.servers.find(({ id }) => id === server);
	if (!there) return null;
	const { address } = there;
	return { ...site, currentServer: server, server: address };
}

/** Returns a target as text, for keys of drafts and states. */
export function targetKey({ site, server }: Target): string {
	return server === null ? site : `${site} ${server}`;
}

/** Returns the target of an operation: the portal or the current server of a site. */
export function targetOf(operation: OperationKey, site: Pick<SiteView, "id" | "currentServer">): Target {
	const isPortal = operations.some(({ key, component }) => key === operation && component === "portal");
	return isPortal ? { site: site.id, server: null } : serverOf(site);
}
