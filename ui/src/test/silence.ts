import type { DeactivationView } from "@/bridge";

/** A service that was silenced an hour ago, and is still. */
export function silenced(changes: Partial<DeactivationView> = {}): DeactivationView {
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
