import { hashKey, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import {
	createContext,
	type ReactNode,
	useCallback,
	useContext,
	useEffect,
	useMemo,
	useRef,
	useState,
	useSyncExternalStore,
} from "react";
import {
	asProblem,
	type Backend,
	type EndedRun,
	type Millis,
	type NewRun,
	newRun,
	type OperationKey,
	type Problem,
	type RunId,
	type RunResult,
	type RunStep,
	type RunsNow,
	type RunView,
	type SiteId,
	type SiteView,
	type Target,
	useBackend,
} from "@/bridge";
import { useNameOfRun } from "@/lib/history-text";
import { accountAt } from "./account";
import { type OperationUis, useOperationUis } from "./operation-ui";
import { readAgain } from "./queries/client";
import { queryKeys } from "./queries/keys";
import { noteEndOfSession } from "./queries/program";
import { onlyLooks, stopKind } from "./stop-mode";
import { targetKey, targetOf } from "./target";

const RunsContext = createContext<RunStore | null>(null);

export function RunsProvider({ children }: { children: ReactNode }) {
	const backend = useBackend();
	const queries = useQueryClient();
	const uis = useOperationUis();
	const [store] = useState(() => new RunStore(backend, settling(queries, uis), (site) => accountAt(queries, site)));
	useEffect(() => store.listen(), [store]);
	return <RunsContext value={store}>{children}</RunsContext>;
}

/** Delay of the reads after a run, in milliseconds, so that the result is read and rendered before them. */
const readDelay = 100;

/**
 * Returns a function that invalidates the queries a run made stale. Both the command and the list of runs report its
 * end; the delay merges them into one invalidation.
 */
function settling(queries: QueryClient, uis: OperationUis) {
	const stale = new Map<string, QueryKey>();
	let waiting: ReturnType<typeof setTimeout> | undefined;
	return (run: PastRun, failure: Failure | null) => {
		if (failure) noteEndOfSession(queries, failure.problem, failure.startedAt);
		const site = queries.getQueryData<SiteView[]>(queryKeys.sites)?.find(({ id }) => id === run.site);
		for (const key of staleAfter(uis, run, site?.environment === "practice")) stale.set(hashKey(key), key);
		clearTimeout(waiting);
		waiting = setTimeout(() => {
			for (const key of stale.values()) void readAgain(queries, key);
			stale.clear();
		}, readDelay);
	};
}

export function useRunStore(): RunStore {
	const store = useContext(RunsContext);
	if (!store) throw new Error("useRunStore needs a RunsProvider above it");
	return store;
}

export function useRuns(): readonly RunView[] {
	const store = useRunStore();
	return useSyncExternalStore(store.subscribe, store.runs);
}

/** Sites with running operations. The set changes when a run starts or ends, not with each step. */
export function useBusySites(): ReadonlySet<SiteId> {
	const store = useRunStore();
	const sites = useSyncExternalStore(store.subscribe, () =>
		[...new Set(store.runs().map(({ site }) => site))].join(" "),
	);
	return useMemo(() => new Set(sites.split(" ")), [sites]);
}

/** Ended runs of all sites that were not dismissed. */
export function useEndedRuns(): readonly EndedRun[] {
	const store = useRunStore();
	return useSyncExternalStore(store.subscribe, store.ended);
}

/** Returns the queries that a run makes stale. */
function staleAfter(uis: OperationUis, run: PastRun, isPractice: boolean): QueryKey[] {
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

/** State of an operation on a target in this window. `form` is the form that was sent. */
export type OperationState<T, F> =
	| { kind: "idle" }
	/** `form` is `null` if the run started before the window was reloaded. */
	| { kind: "running"; run: RunId; startedAt: Millis; step: RunStep | null; form: F | null }
	| (Extract<RunResult<T>, { kind: "done" }> & Sent<F>)
	| ({ kind: "dismissed" } & Sent<F>)
	| (Extract<RunResult<T>, { kind: "notSent" }> & Sent<F>)
	| (Extract<RunResult<T>, { kind: "unknown" }> & Sent<F>)
	| (Extract<RunResult<T>, { kind: "failed" }> & Sent<F>);

interface Sent<F> {
	run: RunId;
	form: F;
}

type PastRun = Pick<EndedRun, "site" | "server" | "operation" | "act">;

/** Failure of a run that this window started. */
interface Failure {
	problem: Problem;
	startedAt: Millis;
}

/** Action of an operation with a result of its own, separate from that of the operation. */
export interface RunOfItsOwn extends Pick<PastRun, "operation" | "act"> {
	/** Distinguishes the action from others of the same operation. */
	name: string;
}

/** Key of the state on each target. */
export type RunKey = OperationKey | RunOfItsOwn;

export const operationOf = (key: RunKey): OperationKey => (typeof key === "string" ? key : key.operation);

type AnyState = OperationState<unknown, unknown>;

const idle: AnyState = { kind: "idle" };

/**
 * Holds the state of every operation above the pages, so that leaving a page neither stops nor forgets a run. Results
 * are visible only to the account that started the run. After a reload, the store adopts the runs that the backend
 * reports.
 */
export class RunStore {
	readonly #backend: Backend;
	readonly #settled: (run: PastRun, failure: Failure | null) => void;
	readonly #accountAt: (site: SiteId) => string;
	/** Account of each run: the one at its site when the run was first reported. */
	readonly #owners = new Map<RunId, string>();
	/** Runs that this window started. */
	readonly #begun = new Set<RunId>();
	readonly #states = new Map<string, AnyState>();
	readonly #listeners = new Set<() => void>();
	#runs: readonly RunView[] = [];
	#ended: readonly EndedRun[] = [];
	/** Revision of the last report from the backend; 0 before the first one. */
	#revision = 0;

	/**
	 * `settled` is called at the end of each run, possibly twice. `failure` is set only for runs that this window
	 * started.
	 */
	constructor(
		backend: Backend,
		settled: (run: PastRun, failure: Failure | null) => void,
		accountAt: (site: SiteId) => string,
	) {
		this.#backend = backend;
		this.#settled = settled;
		this.#accountAt = accountAt;
	}

	/** Subscribes to the backend and returns the function that unsubscribes. */
	listen(): () => void {
		const stop = this.#backend.onRuns((now) => this.#take(now));
		this.#backend.listRuns().then(
			(now) => this.#take(now),
			// The next event contains the full list.
			() => {},
		);
		return stop;
	}

	subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	runs = (): readonly RunView[] => this.#runs;

	/** Whether this window started the run, so that its result is in the state of its key. */
	isOwn(run: RunId): boolean {
		return this.#begun.has(run);
	}

	/** Runs that ended and were not dismissed. */
	ended = (): readonly EndedRun[] => this.#ended;

	dismiss(run: RunId): void {
		this.#ended = this.#ended.filter(({ id }) => id !== run);
		this.#tell();
		// If this fails, the next event lists the run again.
		this.#backend.dismissRun(run).catch(() => {});
	}

	state<T, F>(key: RunKey, target: Target): OperationState<T, F> {
		return (this.#states.get(this.#slot(key, target)) ?? idle) as OperationState<T, F>;
	}

	async start<T, F>(
		key: RunKey,
		target: Target,
		form: F,
		call: (run: NewRun, form: F) => Promise<RunResult<T>>,
		reason = "",
	): Promise<void> {
		if (this.state(key, target).kind === "running") return;
		const run = crypto.randomUUID();
		this.#begun.add(run);
		const startedAt = Date.now();
		// Taken before the call: another account might be signed in when the run ends.
		const name = this.#slot(key, target);
		this.#owners.set(run, this.#accountAt(target.site));
		this.#set(name, { kind: "running", run, startedAt, step: null, form });
		let state: OperationState<T, F>;
		try {
			state = { ...(await call(newRun(run, reason), form)), run, form };
		} catch (thrown) {
			// If the command throws, the outcome of the run is unknown.
			state = { kind: "failed", problem: asProblem(thrown), outcome: "unknown", record: null, run, form };
		}
		this.#set(name, state);
		const act = typeof key === "string" ? null : key.act;
		const problem = "problem" in state ? state.problem : null;
		this.#settled({ ...target, operation: operationOf(key), act }, problem && { problem, startedAt });
	}

	reset(key: RunKey, target: Target): void {
		// A running operation can only be stopped.
		if (this.state(key, target).kind !== "running") this.#set(this.#slot(key, target), idle);
	}

	/** Removes every result of a site, of all accounts. Running operations stay. */
	forget(site: SiteId): void {
		for (const [name, state] of this.#states) {
			if (state.kind !== "running" && name.split(" ").includes(site)) this.#states.delete(name);
		}
		this.#tell();
	}

	#take({ revision, running: runs, ended }: RunsNow): void {
		// Events can arrive out of order.
		if (revision < this.#revision) return;
		const isFirst = this.#revision === 0;
		const gone = this.#runs.filter((before) => !runs.some((run) => run.id === before.id));
		// Includes runs whose start was never reported.
		const isNew = (run: EndedRun) => !this.#ended.some((before) => before.id === run.id);
		for (const { id } of gone) this.#owners.delete(id);
		const past = isFirst ? [] : [...gone, ...ended.filter(isNew)];
		this.#revision = revision;
		this.#runs = runs;
		this.#ended = ended;
		for (const run of runs) this.#follow(run);
		for (const [name, state] of this.#states) {
			if (state.kind === "running" && state.form === null && !runs.some((run) => run.id === state.run)) {
				this.#states.set(name, idle);
			}
		}
		this.#tell();
		for (const run of past) this.#settled(run, null);
	}

	#follow(run: RunView): void {
		// An upload does not occupy the state of its import: the form stays on screen and shows it. Neither does an action
		// with a result of its own.
		if (run.step.kind === "uploading" || run.act !== null) return;
		const owner = this.#owners.get(run.id) ?? this.#accountAt(run.site);
		this.#owners.set(run.id, owner);
		const name = slot(run.operation, run, owner);
		const state = this.#states.get(name) ?? idle;
		if (state.kind === "running" && state.run === run.id) {
			// Unchanged steps keep the state object, so that its page is not rendered again.
			if (JSON.stringify(state.step) !== JSON.stringify(run.step)) this.#states.set(name, { ...state, step: run.step });
		} else if (state.kind === "idle") {
			const { id, startedAt, step } = run;
			this.#states.set(name, { kind: "running", run: id, startedAt, step, form: null });
		}
	}

	#slot(key: RunKey, target: Target): string {
		return slot(key, target, this.#accountAt(target.site));
	}

	#set(name: string, state: OperationState<unknown, unknown>): void {
		this.#states.set(name, state);
		this.#tell();
	}

	#tell(): void {
		for (const listener of this.#listeners) listener();
	}
}

function slot(key: RunKey, target: Target, account: string): string {
	const name = typeof key === "string" ? key : `${key.operation}/${key.name}`;
	return `${name} ${targetKey(target)} ${account}`;
}

/** Fields of a run that its name and its Stop dialog need. `step` is `null` until the backend reports one. */
export type NamedRun = Pick<RunView, "id" | "operation" | "act" | "isUndo" | "siteName" | "serverName"> & {
	step: RunStep | null;
};

/** Returns a function that names a run. An upload has the name of the operation it is for. */
export function useRunName(): (run: NamedRun) => string {
	const nameOf = useNameOfRun();
	return useCallback((run) => nameOf(isUpload(run) ? { ...run, act: null } : run), [nameOf]);
}

/** Returns the key of the message that names a run together with its site. */
export function runText(run: NamedRun): "operationsPanel.upload" | "operationsPanel.run" {
	return isUpload(run) ? "operationsPanel.upload" : "operationsPanel.run";
}

function isUpload({ step, operation }: NamedRun): boolean {
	return stopKind(step, operation) === "uploading";
}

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
