import type { Millis, SiteView } from "@/bridge";

const week = 7 * 24 * 3_600_000;

/** Whether an export is so old that another one is due. */
function isOld(at: Millis | null, now: Millis = Date.now()): boolean {
	return at === null || now - at > week;
}

export interface ExportAge {
	area: "portal" | "server";
	at: Millis | null;
	old: boolean;
}

/** How old the copies of a site are, of as much of it as can be exported. In practice none is ever too old. */
export function exportAges(site: SiteView, now: Millis = Date.now()): ExportAge[] {
	// Neither has a site export.
	if (site.deploymentType === "kubernetes" || site.deploymentType === "online") return [];
	const isTooOld = (at: Millis | null) => site.environment !== "practice" && isOld(at, now);
	const portal: ExportAge[] = site.portal
		? [{ area: "portal", at: site.portalExport, old: isTooOld(site.portalExport) }]
		: [];
	const server: ExportAge[] = site.server
		? [{ area: "server", at: site.serverExport, old: isTooOld(site.serverExport) }]
		: [];
	return [...portal, ...server];
}
