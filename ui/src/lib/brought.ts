import type { OperationKey, SiteId } from "@/bridge";
import { type Brought, useNavigation } from "./navigation";
import { useSites } from "./queries";
import { useRunStore } from "./runs";
import { targetOf } from "./target-of";

/** Leads to an operation with what to fill in. Its form is wanted there, not the result of its last run. */
export function useBring(): (site: SiteId, key: OperationKey, brought: Brought) => void {
	const { go } = useNavigation();
	const sites = useSites().data ?? [];
	const runs = useRunStore();
	return (site, key, brought) => {
		const saved = sites.find(({ id }) => id === site);
		if (saved) runs.reset(key, targetOf(key, saved));
		go({ page: "operation", site, key }, brought);
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
