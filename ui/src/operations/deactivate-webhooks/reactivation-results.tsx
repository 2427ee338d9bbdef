import { Stack } from "@mantine/core";
import type { SiteView } from "@/bridge";
import { HideResult } from "@/components/hide-result";
import { ReactivationOfAllResult } from "./reactivation-of-all-result";
import { ReactivationResult } from "./reactivation-result";
import { type Actions, hasEnded } from "./use-actions";
import type { AskToReactivate } from "./use-reactivation";

interface ReactivationResultsProps {
	site: SiteView;
	actions: Actions;
	reactivate: AskToReactivate;
}

/** Results of the last reactivation, until the user hides them. */
export function ReactivationResults({ site, actions, reactivate }: ReactivationResultsProps) {
	const { reactivation, reactivateAll } = actions;
	const ended = [reactivation, reactivateAll].filter(({ state }) => hasEnded(state));
	if (ended.length === 0) return null;
	return (
		<Stack gap="xs">
			<ReactivationResult state={reactivation.state} />
			<ReactivationOfAllResult site={site} state={reactivateAll.state} reactivate={reactivate} />
			<HideResult
				onHide={() => {
					for (const action of ended) action.reset();
				}}
			/>
		</Stack>
	);
}
