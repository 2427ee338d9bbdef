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
	type Target,
} from "@/bridge";
import { targetKey } from "./target";

/** What became of an operation on a site, as far as this window knows. `form` is what was sent. */
export type OperationState<T, F> =
	| { kind: "idle" }
	/** `form` is `null` when the run was begun before the window was loaded again. */
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

/** A run that came to its end. */
export type PastRun = Pick<EndedRun, "site" | "server" | "operation" | "act">;

/** Why a run that was begun here failed. */
export interface Failure {
	problem: Problem;
	startedAt: Millis;
}

/** What is done by the way of an operation and has a result of its own. */
export interface RunOfItsOwn extends Pick<PastRun, "operation" | "act"> {
	/** Tells it from what else the operation does. */
	name: string;
}

/** What has a state on each portal and server. */
export type RunKey = OperationKey | RunOfItsOwn;

/** The operation itself, or the one by whose way something is done. */
export const operationOf = (key: RunKey): OperationKey => (typeof key === "string" ? key : key.operation);

type AnyState = OperationState<unknown, unknown>;

const idle: AnyState = { kind: "idle" };

/**
 * Keeps every operation's state above the screens, so that leaving a screen neither stops nor forgets a run. What came
 * of a run is for the account that began it. After a reload it takes up the runs that the program reports.
 */
export class RunStore {
	readonly #backend: Backend;
	readonly #settled: (run: PastRun, failure: Failure | null) => void;
	readonly #accountAt: (site: SiteId) => string;
	/** Whose a run is: of the account that was at its site when it was first heard of. */
	readonly #owners = new Map<RunId, string>();
	/** Those that were begun here. */
	readonly #begun = new Set<RunId>();
	readonly #states = new Map<string, AnyState>();
	readonly #listeners = new Set<() => void>();
	#runs: readonly RunView[] = [];
	#ended: readonly EndedRun[] = [];
	/** Of what the program said last; 0 before it said anything. */
	#revision = 0;

	/** `settled` is told of each end, perhaps twice; of the failure only where the run was begun here. */
	constructor(
		backend: Backend,
		settled: (run: PastRun, failure: Failure | null) => void,
		accountAt: (site: SiteId) => string,
	) {
		this.#backend = backend;
		this.#settled = settled;
		this.#accountAt = accountAt;
	}

	/** Begins to listen to the program; returns the way to stop listening. */
	listen(): () => void {
		const stop = this.#backend.onRuns((now) => this.#take(now));
		this.#backend.listRuns().then(
			(now) => this.#take(now),
			// A missing list only costs the dock its first picture; the next announcement brings it.
			() => {},
		);
		return stop;
	}

	subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	runs = (): readonly RunView[] => this.#runs;

	/** Whether a run was begun here since the window was loaded: then the state of its key has it. */
	isOwn(run: RunId): boolean {
		return this.#begun.has(run);
	}

	/** Those that ended and were not dismissed yet. */
	ended = (): readonly EndedRun[] => this.#ended;

	dismiss(run: RunId): void {
		this.#ended = this.#ended.filter(({ id }) => id !== run);
		this.#tell();
		// What could not be dismissed comes back with the next announcement.
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
		// Another account may be signed in when it ends.
		const name = this.#slot(key, target);
		this.#owners.set(run, this.#accountAt(target.site));
		this.#set(name, { kind: "running", run, startedAt, step: null, form });
		let state: OperationState<T, F>;
		try {
			state = { ...(await call(newRun(run, reason), form)), run, form };
		} catch (thrown) {
			// Without an end of the run, nobody knows what it did.
			state = { kind: "failed", problem: asProblem(thrown), outcome: "unknown", record: null, run, form };
		}
		this.#set(name, state);
		const act = typeof key === "string" ? null : key.act;
		const problem = "problem" in state ? state.problem : null;
		this.#settled({ ...target, operation: operationOf(key), act }, problem && { problem, startedAt });
	}

	reset(key: RunKey, target: Target): void {
		// A run cannot be forgotten, only stopped.
		if (this.state(key, target).kind !== "running") this.#set(this.#slot(key, target), idle);
	}

	/** Forgets every result of a site, whose account it may be. What runs goes on. */
	forget(site: SiteId): void {
		for (const [name, state] of this.#states) {
			if (state.kind !== "running" && name.split(" ").includes(site)) this.#states.delete(name);
		}
		this.#tell();
	}

	#take({ revision, running: runs, ended }: RunsNow): void {
		// What is sent at the same time may arrive in another order.
		if (revision < this.#revision) return;
		const isFirst = this.#revision === 0;
		const gone = this.#runs.filter((before) => !runs.some((run) => run.id === before.id));
		// Those as well of whose beginning nothing was heard.
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
		// A file on its way up is no import yet: the form that it is for stays where it is, and shows it.
		// Neither is another act the operation by whose way it is done.
		if (run.step.kind === "uploading" || run.act !== null) return;
		const owner = this.#owners.get(run.id) ?? this.#accountAt(run.site);
		this.#owners.set(run.id, owner);
		const name = slot(run.operation, run, owner);
		const state = this.#states.get(name) ?? idle;
		if (state.kind === "running" && state.run === run.id) {
			// Its screen is not drawn again for what another run does.
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
