import { type OperationKey, operations, type SiteView, type Target } from "@/bridge";
import { serverOf } from "./target";

/** What an operation on a site goes to. */
export function targetOf(operation: OperationKey, site: Pick<SiteView, "id" | "currentServer">): Target {
	const isPortal = operations.some(({ key, component }) => key === operation && component === "portal");
	return isPortal ? { site: site.id, server: null } : serverOf(site);
}
