import type { OperationKey, SiteId, Target } from "@/bridge";
import { type Brought, useNavigation } from "./navigation";
import { useSites } from "./queries/program";
import { useRunStore } from "./runs";
import { useChooseServer } from "./use-choose-server";

/** Leads to an operation on a portal or server, with what to fill in. Its form is shown there, not its last result. */
export function useBring(): (target: Target, key: OperationKey, brought: Brought) => void {
	const { go } = useNavigation();
	const sites = useSites().data ?? [];
	const runs = useRunStore();
	const choose = useChooseServer();
	return async (target, key, brought) => {
		const saved = sites.find(({ id }) => id === target.site);
		// Where the server cannot be chosen, its page says which one it is about.
		if (saved) await choose(saved, target.server);
		runs.reset(key, target);
		go({ page: "operation", site: target.site, key }, brought);
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
