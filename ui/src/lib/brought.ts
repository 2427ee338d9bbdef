import type { OperationKey, SiteId, Target } from "@/bridge";
import { type Brought, useNavigation } from "./navigation";
import { useRunStore } from "./runs";

/**
 * Returns a function that opens an operation page with values for its form. An earlier result on that page is cleared.
 */
export function useBring(): (target: Target, key: OperationKey, brought: Brought) => void {
	const { go } = useNavigation();
	const runs = useRunStore();
	return (target, key, brought) => {
		runs.reset(key, target);
		go({ page: "operation", ...target, key }, brought);
	};
}

interface BroughtHere {
	/** Values that the user brought to this visit. They stay after the form has been filled in. */
	brought: Brought | null;
	/** The same values, or `null` once the form has been filled in. */
	toFill: Brought | null;
	/** Marks the values as filled in. */
	take: () => void;
}

export function useBrought(site: SiteId, key: OperationKey): BroughtHere {
	const { place, brought, isTaken, take } = useNavigation();
	const isHere = place.page === "operation" && place.site === site && place.key === key;
	const here = isHere ? brought : null;
	return { brought: here, toFill: isTaken ? null : here, take };
}
