import { Stack } from "@mantine/core";
import type { SiteView } from "@/bridge";
import { HideResult } from "@/components/hide-result";
import { useLogComparison } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { ReactivationOfAllResult } from "./reactivation-of-all-result";
import { ReactivationResult } from "./reactivation-result";
import { type Actions, hasEnded } from "./use-actions";

/** Result of the last reactivation, until it is hidden. */
export function ReactivationResults({ site, actions }: { site: SiteView; actions: Actions }) {
	const { reactivation, reactivateAll } = actions;
	const compare = useLogComparison(serverOf(site));
	const ended = [reactivation, reactivateAll].filter(({ state }) => hasEnded(state));
	if (ended.length === 0) return null;
	return (
		<Stack gap="xs">
			<ReactivationResult state={reactivation.state} />
			<ReactivationOfAllResult
				site={site}
				state={reactivateAll.state}
				compare={compare}
				onAgain={reactivateAll.start}
			/>
			<HideResult
				onHide={() => {
					for (const action of ended) action.reset();
				}}
			/>
		</Stack>
	);
}
