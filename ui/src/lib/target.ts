import type { SiteView, Target } from "@/bridge";

/** The server that the pages of a site are about: the one that its forms begin with. */
export function serverOf({ id, currentServer }: Pick<SiteView, "id" | "currentServer">): Target {
	return { site: id, server: currentServer };
}

/** What tells targets apart as a text, for keys of drafts and states. */
export function targetKey({ site, server }: Target): string {
	return server === null ? site : `${site} ${server}`;
}
