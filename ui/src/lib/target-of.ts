import { type OperationKey, operations, type SiteView, type Target } from "@/bridge";
import { serverOf } from "./target";

/** Returns the target of an operation: the portal or the current server of a site. */
export function targetOf(operation: OperationKey, site: Pick<SiteView, "id" | "currentServer">): Target {
	const isPortal = operations.some(({ key, component }) => key === operation && component === "portal");
	return isPortal ? { site: site.id, server: null } : serverOf(site);
}
