import type { SiteView } from "@/bridge";
import { isThisComputer } from "./hosts";

/** Whether the site runs on this computer: only then does a folder of this computer mean anything to it. */
export function isLocal(site: Pick<SiteView, "portal" | "server">): boolean {
	const address = site.portal ?? site.server;
	return address !== null && isThisComputer(address);
}
