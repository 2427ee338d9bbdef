import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { NewRun, Problem, RunResult, SiteView } from "@/bridge";
import { type OperationState, operationOf, type RunKey, useRunStore } from "./runs";
import { targetOf } from "./target";

export interface OperationHandle<T, F> {
	state: OperationState<T, F>;
	/**
	 * Sends the form, with a reason or ticket for the history. Does nothing while the operation is running on its target.
	 */
	start: (form: F, reason?: string) => void;
	/** Removes the result, so that the form is shown again. */
	reset: () => void;
	running: boolean;
	/** Problem of the last run; `null` if it did not fail. */
	problem: Problem | null;
}

/** Returns the form of a run that failed, or was stopped before it was sent; otherwise `null`. */
export function leftForm<T, F>(state: OperationState<T, F>): F | null {
	return state.kind === "failed" || state.kind === "notSent" ? state.form : null;
}

/**
 * Runs an operation on the portal or the current server of a site:
 *
 * `const run = useOperation(key, site, (run, form: ExportPortalForm) => backend.exportPortal(site.id, run, form));`
 *
 * The state outlives the page. It contains what `keep` returns of the form, which must not include secrets. Actions
 * with a result of their own use this hook as well.
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

	// `start` stays the same function, so that long forms are not rendered again.
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
