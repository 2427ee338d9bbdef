import {
	asProblem,
	type Backend,
	type Ended,
	type EndedRun,
	type Key,
	type Millis,
	type Problem,
	type RunId,
	type RunStep,
	type RunView,
	type SiteId,
} from "@/bridge";

/** What became of an operation on a site, as far as this window knows. `form` is what was sent. */
export type OperationState<T, F> =
	| { kind: "idle" }
	/** `form` is `null` when the run was begun before the window was loaded again. */
	| { kind: "running"; run: RunId; startedAt: Millis; step: RunStep | null; form: F | null }
	| (Extract<Ended<T>, { kind: "done" }> & { form: F })
	| { kind: "dismissed"; form: F }
	| (Extract<Ended<T>, { kind: "notSent" }> & { form: F })
	| (Extract<Ended<T>, { kind: "unknown" }> & { form: F })
	| { kind: "problem"; problem: Problem; form: F };

type AnyState = OperationState<unknown, unknown>;

const idle: AnyState = { kind: "idle" };

/**
 * Keeps every operation's state above the screens, so that leaving a screen neither stops nor forgets a run.
 * After a reload it takes up the runs that the program reports.
 */
export class RunStore {
	readonly #backend: Backend;
	readonly #settled: () => void;
	readonly #states = new Map<string, AnyState>();
	readonly #listeners = new Set<() => void>();
	#runs: readonly RunView[] = [];
	#ended: readonly EndedRun[] = [];

	constructor(backend: Backend, settled: () => void) {
		this.#backend = backend;
		this.#settled = settled;
	}

	/** Begins to listen to the program; returns the way to stop listening. */
	listen(): () => void {
		const stop = this.#backend.onRuns((runs, ended) => this.#take(runs, ended));
		Promise.all([this.#backend.listRuns(), this.#backend.listEndedRuns()]).then(
			([runs, ended]) => this.#take(runs, ended),
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

	/** Those that ended and were not dismissed yet. */
	ended = (): readonly EndedRun[] => this.#ended;

	dismiss(run: RunId): void {
		this.#ended = this.#ended.filter(({ id }) => id !== run);
		this.#tell();
		// What could not be dismissed comes back with the next announcement.
		this.#backend.dismissRun(run).catch(() => {});
	}

	state<T, F>(key: Key, site: SiteId): OperationState<T, F> {
		return (this.#states.get(slot(key, site)) ?? idle) as OperationState<T, F>;
	}

	async start<T, F>(key: Key, site: SiteId, form: F, call: (run: RunId, form: F) => Promise<Ended<T>>): Promise<void> {
		if (this.state(key, site).kind === "running") return;
		const run = crypto.randomUUID();
		this.#set(key, site, { kind: "running", run, startedAt: Date.now(), step: null, form });
		let state: OperationState<T, F>;
		try {
			state = { ...(await call(run, form)), form };
		} catch (thrown) {
			state = { kind: "problem", problem: asProblem(thrown), form };
		}
		this.#set(key, site, state);
		this.#settled();
	}

	reset(key: Key, site: SiteId): void {
		// A run cannot be forgotten, only stopped.
		if (this.state(key, site).kind !== "running") this.#set(key, site, idle);
	}

	#take(runs: readonly RunView[], endedRuns: readonly EndedRun[]): void {
		const ended = this.#runs.some((before) => !runs.some((run) => run.id === before.id));
		this.#runs = runs;
		this.#ended = endedRuns;
		for (const run of runs) this.#follow(run);
		for (const [name, state] of this.#states) {
			if (state.kind === "running" && state.form === null && !runs.some((run) => run.id === state.run)) {
				this.#states.set(name, idle);
			}
		}
		this.#tell();
		if (ended) this.#settled();
	}

	#follow(run: RunView): void {
		// A file on its way up is no import yet: the form that it is for stays where it is, and shows it.
		// Neither is another act the operation by whose way it is done.
		if (run.step.kind === "uploading" || run.act !== null) return;
		const name = slot(run.operation, run.site);
		const state = this.#states.get(name) ?? idle;
		if (state.kind === "running" && state.run === run.id) {
			// Its screen is not drawn again for what another run does.
			if (JSON.stringify(state.step) !== JSON.stringify(run.step)) this.#states.set(name, { ...state, step: run.step });
		} else if (state.kind === "idle") {
			const { id, startedAt, step } = run;
			this.#states.set(name, { kind: "running", run: id, startedAt, step, form: null });
		}
	}

	#set(key: Key, site: SiteId, state: OperationState<unknown, unknown>): void {
		this.#states.set(slot(key, site), state);
		this.#tell();
	}

	#tell(): void {
		for (const listener of this.#listeners) listener();
	}
}

function slot(key: Key, site: SiteId): string {
	return `${key} ${site}`;
}
