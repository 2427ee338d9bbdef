import type { SiteView } from "@/bridge";
import { isThisComputer } from "./hosts";

/** Whether the site runs on this computer. Only then can it use folders of this computer. */
export function isLocal(site: Pick<SiteView, "portal" | "server">): boolean {
	const address = site.portal ?? site.server;
	return address !== null && isThisComputer(address);
}
