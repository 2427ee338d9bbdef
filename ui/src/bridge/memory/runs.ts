import type {
	Ended,
	EndedRun,
	HistoryAct,
	HistoryEntry,
	Key,
	Outcome,
	Parameter,
	RunId,
	RunStep,
	RunView,
	SiteId,
} from "../bindings";
import { asProblem } from "../problem";
import type { World } from "./world";

export interface Order<T> {
	site: SiteId;
	run: RunId;
	operation: Key;
	/** Its name in the history, where it is none of the seven. */
	act?: HistoryAct;
	parameters: Parameter[];
	/** It only looks, and leaves no record. */
	unrecorded?: true;
	/** Steps in order; the time a run takes is spread over them. */
	steps?: RunStep[];
	/** Changes the world and reports. */
	work: (record: string) => T;
	judge: (report: T) => { outcome: Outcome; note: string };
}

/** Steps in which the request of the operation itself was not sent yet. */
const beforeTheRequest: ReadonlySet<RunStep["kind"]> = new Set(["preparing", "checking", "securing", "verifying"]);

type Passing = Pick<Order<unknown>, "site" | "run" | "operation" | "act" | "steps">;

/** Runs and the history they leave, as the program keeps them. */
export class RunBook {
	readonly #world: World;
	readonly #runMillis: number;
	readonly #running = new Map<RunId, { view: RunView; stop: () => void }>();
	readonly #ended: EndedRun[] = [];
	readonly #listeners = new Set<(runs: RunView[], ended: EndedRun[]) => void>();

	constructor(world: World, runMillis: number) {
		this.#world = world;
		this.#runMillis = runMillis;
	}

	list(): RunView[] {
		return [...this.#running.values()].map(({ view }) => ({ ...view }));
	}

	/** Those that ended and were not dismissed yet. */
	ended(): EndedRun[] {
		return [...this.#ended];
	}

	dismiss(run: RunId): void {
		const place = this.#ended.findIndex(({ id }) => id === run);
		if (place >= 0) this.#ended.splice(place, 1);
		this.#tell();
	}

	listen(listener: (runs: RunView[], ended: EndedRun[]) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	stop(run: RunId): void {
		this.#running.get(run)?.stop();
	}

	/** Writes the intent, works, writes the outcome. `endless` runs end only when they are stopped. */
	async carryOut<T>(order: Order<T>, endless: boolean): Promise<Ended<T>> {
		const site = this.#world.sites.find(({ id }) => id === order.site);
		const session = this.#world.sessions.get(order.site);
		if (!site || !session) throw asProblem({ kind: "signIn", site: order.site, server: null });
		const before = this.list().find((run) => run.site === order.site);
		if (before) throw asProblem({ kind: "busy", operation: before.operation, startedAt: before.startedAt });

		const startedAt = Date.now();
		const entry: HistoryEntry = {
			id: `r-${this.#world.history.length + 1}`,
			site: site.id,
			siteName: site.name,
			operation: order.act ?? order.operation,
			username: session.username,
			startedAt,
			endedAt: null,
			parameters: order.parameters,
			outcome: "sent",
			note: "",
			hasReport: false,
			elapsed: null,
			siteVersion: "11.5",
			programVersion: "0.1.0",
			systemUser: "pat",
			computer: "gis-desk",
			hasCommand: true,
			hasWayBack: order.parameters.some(({ name }) => name === "wayBack"),
			isSettled: false,
		};
		const record = order.unrecorded ? null : entry.id;
		if (record !== null) this.#world.history.unshift(entry);
		const stopped = await this.#wait(order, site.name, startedAt, endless);
		entry.endedAt = Date.now();
		entry.elapsed = entry.endedAt - startedAt;
		if (stopped === "before") {
			entry.outcome = "notSent";
			this.#end(order, entry);
			return { kind: "notSent", record, backup: null };
		}
		if (stopped === "after") {
			entry.outcome = "unknown";
			this.#end(order, entry);
			return { kind: "unknown", record, stopped: true, problem: null, canUndo: entry.hasWayBack };
		}
		try {
			const report = order.work(entry.id);
			Object.assign(entry, order.judge(report));
			if (order.operation.startsWith("export") && entry.outcome !== "failed") {
				site.lastExport = entry.endedAt;
				if (order.operation === "export_portal") site.portalExport = entry.endedAt;
				else site.serverExport = entry.endedAt;
			}
			this.#end(order, entry);
			return { kind: "done", record, at: entry.endedAt, took: entry.endedAt - startedAt, report };
		} catch (thrown) {
			const problem = asProblem(thrown);
			entry.outcome = "failed";
			entry.note = "message" in problem ? problem.message : problem.kind;
			this.#end(order, entry);
			throw problem;
		}
	}

	#end({ run: id, operation, act }: Passing, entry: HistoryEntry): void {
		const { site, siteName, outcome, startedAt } = entry;
		const endedAt = entry.endedAt ?? startedAt;
		const took = endedAt - startedAt;
		this.#ended.push({
			id,
			site,
			siteName,
			operation,
			act: act ?? null,
			outcome,
			record: entry.id,
			endedAt,
			took,
		});
		this.#tell();
	}

	/** Lets a run pass that leaves no record. `true`: it was stopped. */
	async pass(run: Passing & { siteName: string }, endless: boolean): Promise<boolean> {
		const stopped = await this.#wait(run, run.siteName, Date.now(), endless);
		this.#tell();
		return stopped !== null;
	}

	/** On which side of its request the run was stopped; `null` when it was not. */
	async #wait(
		order: Passing,
		siteName: string,
		startedAt: number,
		endless: boolean,
	): Promise<"before" | "after" | null> {
		const steps: RunStep[] = order.steps ?? [{ kind: "waiting" }];
		const first = steps[0] ?? { kind: "waiting" };
		const view: RunView = {
			id: order.run,
			site: order.site,
			siteName,
			operation: order.operation,
			act: order.act ?? null,
			startedAt,
			step: first,
			usual: this.#usual(order.site, order.operation),
		};
		let stopped = false;
		const stop = new Promise<void>((resolve) => {
			this.#running.set(order.run, {
				view,
				stop: () => {
					stopped = true;
					resolve();
				},
			});
		});
		for (const step of steps) {
			view.step = step;
			this.#tell();
			// The check of a location passes by itself; what is endless is the request after it.
			const hangs = endless && step.kind !== "checking";
			const pause = hangs ? new Promise<void>(() => {}) : sleep(this.#runMillis / steps.length);
			await Promise.race([pause, stop]);
			if (stopped) break;
		}
		this.#running.delete(order.run);
		if (!stopped) return null;
		return beforeTheRequest.has(view.step.kind) ? "before" : "after";
	}

	#usual(site: SiteId, operation: Key): number | null {
		const before = this.#world.history.filter(
			(one) => one.site === site && one.operation === operation && one.outcome === "succeeded" && one.endedAt !== null,
		);
		const times = before.map((one) => (one.endedAt ?? 0) - one.startedAt).sort((one, other) => one - other);
		return times[Math.floor(times.length / 2)] ?? null;
	}

	#tell(): void {
		const runs = this.list();
		for (const listener of this.#listeners) listener(runs, this.ended());
	}
}

export function sleep(millis: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, millis));
}
