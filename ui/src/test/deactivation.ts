import type { DeactivationView } from "@/bridge";

/** A service whose webhooks were deactivated an hour ago and still are. */
export function deactivated(changes: Partial<DeactivationView> = {}): DeactivationView {
	return {
		id: "s1",
		site: "city",
		service: "Water/Mains.FeatureServer",
		deactivatedAt: Date.now() - 3_600_000,
		by: "gisadmin",
		why: "",
		known: true,
		active: ["mains-leaks"],
		remindAt: null,
		restoredAt: null,
		restoredBy: null,
		byHand: false,
		...changes,
	};
}
