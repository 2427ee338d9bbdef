import type { ServerId, SiteView, Target } from "@/bridge";

/** The server that the pages of a site are about: the one that its forms begin with. */
export function serverOf({ id, currentServer }: Pick<SiteView, "id" | "currentServer">): Target {
	return { site: id, server: currentServer };
}

/** The site as a page about one of its servers shows it, or about its portal; `null` if it has no such server. */
export function atServer(site: SiteView, server: ServerId | null): SiteView | null {
	if (server === null || server === site.currentServer) return site;
	const there = site.servers.find(({ id }) => id === server);
	if (!there) return null;
	const { address } = there;
	return { ...site, currentServer: server, server: address };
}

/** What tells targets apart as a text, for keys of drafts and states. */
export function targetKey({ site, server }: Target): string {
	return server === null ? site : `${site} ${server}`;
}
