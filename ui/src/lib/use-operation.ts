import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { NewRun, Problem, RunResult, SiteView } from "@/bridge";
import { type OperationState, operationOf, type RunKey } from "./run-store";
import { useRunStore } from "./runs";
import { targetOf } from "./target-of";

export type { OperationState } from "./run-store";

export interface OperationHandle<T, F> {
	state: OperationState<T, F>;
	/** Sends the form, with a reason or ticket for the history. Does nothing while a run of this operation there is under way. */
	start: (form: F, reason?: string) => void;
	/** Forgets a finished outcome, so that the form is shown again. */
	reset: () => void;
	running: boolean;
	/** Why the last run failed; `null` if it did not. */
	problem: Problem | null;
}

/** The form of a request that was refused, or stopped before it was sent; `null` of any other. */
export function leftForm<T, F>(state: OperationState<T, F>): F | null {
	return state.kind === "failed" || state.kind === "notSent" ? state.form : null;
}

/**
 * One operation on a site, at its portal or its current server:
 *
 *   const run = useOperation(key, site, (run, form: ExportPortalForm) => backend.exportPortal(site.id, run, form));
 *
 * The state outlives the screen, and has what `keep` leaves of the form: no secret. What is done by the way of an operation
 * and has a result of its own is run by this as well.
 */
export function useOperation<T, F = void>(
	key: RunKey,
	site: Pick<SiteView, "id" | "currentServer">,
	call: (run: NewRun, form: F) => Promise<RunResult<T>>,
	keep: (form: F) => F = (form) => form,
): OperationHandle<T, F> {
	const store = useRunStore();
	const { site: id, server } = targetOf(operationOf(key), site);
	const target = useMemo(() => ({ site: id, server }), [id, server]);
	const state = useSyncExternalStore(store.subscribe, () => store.state<T, F>(key, target));

	// Stays the same function, so that a long form need not be drawn again for it.
	const latest = useRef({ call, keep });
	useEffect(() => {
		latest.current = { call, keep };
	});
	const start = useCallback(
		(form: F, reason?: string) =>
			void store.start(key, target, latest.current.keep(form), (run) => latest.current.call(run, form), reason),
		[store, key, target],
	);
	const reset = useCallback(() => store.reset(key, target), [store, key, target]);
	const problem = state.kind === "failed" ? state.problem : null;
	return { state, start, reset, running: state.kind === "running", problem };
}
