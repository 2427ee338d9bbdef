import type { GuidedTourStep, GuidedTourView, SiteId } from "@/bridge";
import type { Place } from "@/lib/navigation";

/** Where a step of the tour is done. */
export function placeOf(step: GuidedTourStep, site: SiteId): Place {
	switch (step) {
		case "exportPortal":
			return { page: "operation", site, key: "export_portal" };
		case "exportServer":
			return { page: "operation", site, key: "export_server" };
		case "addFault":
			return { page: "practice", site };
		case "importServer":
			return { page: "operation", site, key: "import_server" };
		case "findItem":
			return { page: "operation", site, key: "find_items" };
		case "saveAuditPackage":
			return { page: "history" };
		case "deactivateWebhooks":
			return { page: "operation", site, key: "deactivate_webhooks" };
		case "updateParticipant":
			return { page: "operation", site, key: "update_participant" };
		case "refreshInvitation":
			return { page: "operation", site, key: "refresh_invitation" };
	}
}

/** Whether this page is where the step is done. */
export function isAt(place: Place, step: GuidedTourStep, site: SiteId): boolean {
	const there = placeOf(step, site);
	return place.page === there.page && (!("key" in there) || ("key" in place && place.key === there.key));
}

/** The step that comes next for somebody on this page: its own, or the first open one after it, and so around. */
export function nextStep(steps: GuidedTourView["steps"], place: Place, site: SiteId): GuidedTourStep | null {
	const here = Math.max(
		0,
		steps.findIndex(({ step }) => isAt(place, step, site)),
	);
	const around = [...steps.slice(here), ...steps.slice(0, here)];
	return around.find(({ done }) => !done)?.step ?? null;
}
