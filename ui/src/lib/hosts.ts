import type { SiteView } from "@/bridge";

/**
 * Returns the host of an address, with or without a scheme, for comparison; empty if it is not a URL. Ports are
 * ignored.
 */
export function hostOf(address: string): string {
	return parsed(address)?.hostname ?? "";
}

/** Returns host and port of an address, for display; empty if it is not a URL. */
export function hostAndPortOf(address: string): string {
	return parsed(address)?.host ?? "";
}

/** Returns host, port, and path of an address: sites behind one host differ only by their paths. */
export function hostAndPathOf(address: string): string {
	const url = parsed(address);
	return url ? `${url.host}${url.pathname.replace(/\/+$/, "")}` : "";
}

/** Parses an address, with or without a scheme. The result has its host in lower case; `null` if it is not a URL. */
function parsed(address: string): URL | null {
	const text = address.trim();
	return URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
}

export function isThisComputer(address: string): boolean {
	return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostOf(address));
}

/** Whether the site runs on this computer. Only then can it use folders of this computer. */
export function isLocal(site: Pick<SiteView, "portal" | "server">): boolean {
	const address = site.portal ?? site.server;
	return address !== null && isThisComputer(address);
}
