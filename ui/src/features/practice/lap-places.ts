import type { LapStep, SiteId } from "@/bridge";
import type { Place } from "@/lib/navigation";

/** Where a step of the lap is done. */
export function placeOf(step: LapStep, site: SiteId): Place {
	switch (step) {
		case "exportPortal":
			return { page: "operation", site, key: "export_portal" };
		case "exportServer":
			return { page: "operation", site, key: "export_server" };
		case "orderMishap":
			return { page: "practice", site };
		case "importServer":
			return { page: "operation", site, key: "import_server" };
		case "findItem":
			return { page: "operation", site, key: "find_items" };
		case "saveEvidence":
			return { page: "history" };
		case "deactivateWebhooks":
			return { page: "operation", site, key: "deactivate_webhooks" };
		case "updateParticipant":
			return { page: "operation", site, key: "update_participant" };
		case "refreshInvitation":
			return { page: "operation", site, key: "refresh_invitation" };
	}
}
