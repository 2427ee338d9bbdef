import type { OperationKey, SiteId, Target } from "@/bridge";
import { type Brought, useNavigation } from "./navigation";
import { useRunStore } from "./runs";

/** Leads to an operation on a portal or server, with what to fill in. Its form is shown there, not its last result. */
export function useBring(): (target: Target, key: OperationKey, brought: Brought) => void {
	const { go } = useNavigation();
	const runs = useRunStore();
	return (target, key, brought) => {
		runs.reset(key, target);
		go({ page: "operation", ...target, key }, brought);
	};
}

interface BroughtHere {
	/** What the person came with, also after the form has it. */
	brought: Brought | null;
	/** The same, until the form has it. */
	toFill: Brought | null;
	/** Says that the form has it. */
	take: () => void;
}

/** What the person brought along to this operation. */
export function useBrought(site: SiteId, key: OperationKey): BroughtHere {
	const { place, brought, isTaken, take } = useNavigation();
	const isHere = place.page === "operation" && place.site === site && place.key === key;
	const here = isHere ? brought : null;
	return { brought: here, toFill: isTaken ? null : here, take };
}
