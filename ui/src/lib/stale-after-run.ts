import type { QueryKey } from "@tanstack/react-query";
import type { OperationUis } from "./operation-ui";
import { queryKeys } from "./queries/keys";
import type { PastRun } from "./run-store";
import { onlyLooks } from "./stop-mode";

/** The queries that a run makes stale. Those of other sites are none of them, and no run asks who is signed in. */
export function staleAfter(uis: OperationUis, run: PastRun, isPractice: boolean): QueryKey[] {
	const { site, server, operation, act } = run;
	const ui = uis[operation];
	const stale = (act === null ? null : ui.actions?.[act]) ?? ui.stale;
	return [
		...stale({ site, server }),
		...(onlyLooks(operation) ? [] : [queryKeys.history, queryKeys.records]),
		// How long such a run usually takes is known better now.
		queryKeys.checkTokenExpiry({ site, server }, operation),
		// A run may use up a simulated fault, and take the guided tour a step further.
		...(isPractice ? [queryKeys.activeFaults, queryKeys.guidedTour] : []),
	];
}
