import type { QueryKey } from "@tanstack/react-query";
import type { OperationUis } from "./operation-ui";
import { queryKeys } from "./queries/keys";
import type { PastRun } from "./run-store";
import { onlyLooks } from "./stop-mode";

/** Returns the queries that a run makes stale: only those of its own site, and never the session. */
export function staleAfter(uis: OperationUis, run: PastRun, isPractice: boolean): QueryKey[] {
	const { site, server, operation, act } = run;
	const ui = uis[operation];
	const stale = (act === null ? null : ui.actions?.[act]) ?? ui.stale;
	return [
		...stale({ site, server }),
		...(onlyLooks(operation) ? [] : [queryKeys.history, queryKeys.records]),
		// The expected duration of such a run has changed.
		queryKeys.checkTokenExpiry({ site, server }, operation),
		// A run can use up a simulated fault and complete a step of the guided tour.
		...(isPractice ? [queryKeys.activeFaults, queryKeys.guidedTour] : []),
	];
}
