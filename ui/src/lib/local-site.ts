import type { SiteView } from "@/bridge";

/** Whether the site runs on this computer: only then does a folder of this computer mean anything to it. */
export function isLocal(site: Pick<SiteView, "portal" | "server">): boolean {
	const address = site.portal ?? site.server;
	if (address === null) return false;
	return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address).hostname);
}
