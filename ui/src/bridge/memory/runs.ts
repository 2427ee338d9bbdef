import {
	type EndedRun,
	type FaultRule,
	type HistoryAction,
	type HistoryEntry,
	type InjectedFault,
	type OperationKey,
	type Outcome,
	operations,
	type Parameter,
	type Problem,
	type RecordId,
	type RunId,
	type RunResult,
	type RunStep,
	type RunsNow,
	type RunView,
	type SiteId,
	type SiteView,
} from "../bindings";
import { asProblem } from "../problem";
import { note } from "./history";
import { nextFault } from "./practice";
import { sessionOf } from "./sessions";
import { siteIn, type World } from "./world";

export interface Order<T> {
	site: SiteId;
	run: RunId;
	operation: OperationKey;
	/** Its name in the history, where it is none of the seven. */
	act?: HistoryAction;
	parameters: Parameter[];
	/** It only looks, and leaves no record. */
	unrecorded?: true;
	/** Steps in order; the time a run takes is spread over them. */
	steps?: RunStep[];
	/** Changes the world and reports. */
	work: (record: string, fault: InjectedFault | null) => T;
	judge: (report: T) => { outcome: Outcome; note: string };
}

/** Steps in which the request of the operation itself was not sent yet. */
const beforeTheRequest: ReadonlySet<RunStep["kind"]> = new Set(["preparing", "checking", "securing", "verifying"]);

/** Searches run beside everything else. */
function isExclusive(key: OperationKey): boolean {
	return operations.find((one) => one.key === key)?.impact !== "none";
}

const refused = (code: number, message: string): Problem => ({ kind: "refused", code, message, details: [] });

/** What the window is told of a fault that befell the request; `null` when the response comes all the same. */
function befallen(fault: FaultRule | null, site: SiteView): Problem | null {
	switch (fault?.fault) {
		case "unwritableFolder":
			return refused(500, "Unable to write to the location.");
		case "expiredToken":
			// A token is renewed once.
			return fault.times > 0 ? { kind: "signIn", site: site.id, server: null } : null;
		case "reset":
			return { kind: "unreachable", stage: "read", message: "connection reset" };
		case "badGateway":
			return { kind: "inFront", message: "502 Bad Gateway" };
		case "html":
		case "truncated":
			return { kind: "unreadable", expected: "JSON", excerpt: "<html>" };
		default:
			return null;
	}
}

type Passing = Pick<Order<unknown>, "site" | "run" | "operation" | "act" | "steps">;

/** Runs and the history they leave, as the program keeps them. */
export class RunBook {
	readonly #world: World;
	readonly #runMillis: number;
	readonly #running = new Map<RunId, { view: RunView; stop: () => void }>();
	readonly #ended: EndedRun[] = [];
	readonly #listeners = new Set<(now: RunsNow) => void>();
	#revision = 0;

	constructor(world: World, runMillis: number) {
		this.#world = world;
		this.#runMillis = runMillis;
	}

	/** What runs, and what ended and was not dismissed yet. */
	now(): RunsNow {
		this.#revision += 1;
		const running = [...this.#running.values()].map(({ view }) => ({ ...view }));
		return { revision: this.#revision, running, ended: [...this.#ended] };
	}

	dismiss(run: RunId): void {
		const place = this.#ended.findIndex(({ id }) => id === run);
		if (place >= 0) this.#ended.splice(place, 1);
		this.#tell();
	}

	listen(listener: (now: RunsNow) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	stop(run: RunId): void {
		this.#running.get(run)?.stop();
	}

	/** Of what changes a site, or writes a copy of it, one runs at a time. */
	refuseBusy(site: SiteId): void {
		const view = this.now().running.find((run) => run.site === site && isExclusive(run.operation));
		if (!view) return;
		const { operation, act, startedAt } = view;
		throw { kind: "busy", operation, act, startedAt } satisfies Problem;
	}

	/** Writes the intent, works, writes the outcome. `endless` runs end only when they are stopped. */
	async carryOut<T>(order: Order<T>, endless: boolean): Promise<RunResult<T>> {
		const site = siteIn(this.#world, order.site);
		if (isExclusive(order.operation)) this.refuseBusy(site.id);
		const { operations: offered } = sessionOf(this.#world, site.id);
		const obstacle = offered.find(({ operation }) => operation === order.operation)?.reasons[0];
		if (obstacle && obstacle.kind !== "role") throw { kind: "notOffered", reason: obstacle } satisfies Problem;
		const fault = nextFault(this.#world, site, order.operation);
		const startedAt = Date.now();
		const unrecorded = order.unrecorded ?? false;
		const entry = note(this.#world, site, order.act ?? order.operation, {
			endedAt: null,
			parameters: order.parameters,
			outcome: "sent",
			elapsed: null,
			siteVersion: "11.5",
			hasCommand: true,
			hasSafetyBackup: order.parameters.some(({ name }) => name === "safetyBackup"),
		});
		if (unrecorded) this.#world.history.shift();
		const record = unrecorded ? null : entry.id;
		const lasts = fault?.fault === "delay" ? fault.seconds * 1_000 : 0;
		const stopped = await this.#wait(order, site.name, startedAt, endless, lasts);
		const end = (outcome: Outcome) => {
			entry.outcome = outcome;
			entry.endedAt = Date.now();
			entry.elapsed = entry.endedAt - startedAt;
			this.#end(order, entry, record);
		};
		if (stopped === "before") {
			end("notSent");
			return { kind: "notSent", record, backup: null };
		}
		const canUndo = entry.hasSafetyBackup;
		if (stopped === "after") {
			end("unknown");
			return { kind: "unknown", record, stopped: true, problem: null, canUndo };
		}
		try {
			// A role is for the site to judge.
			if (obstacle) throw refused(403, "You do not have permissions to access this resource.");
			const problem = befallen(fault, site);
			if (problem && (problem.kind === "refused" || problem.kind === "signIn" || !isExclusive(order.operation))) {
				throw problem;
			}
			if (problem) {
				if (fault?.after) order.work(entry.id, fault.fault);
				end("unknown");
				return { kind: "unknown", record, stopped: false, problem, canUndo };
			}
			const report = order.work(entry.id, fault?.fault ?? null);
			const judged = order.judge(report);
			entry.note = judged.note;
			end(judged.outcome);
			if (order.operation.startsWith("export") && judged.outcome !== "failed" && !unrecorded) {
				site.lastExport = entry.endedAt;
				if (order.operation === "export_portal") site.portalExport = entry.endedAt;
				else site.serverExport = entry.endedAt;
			}
			return { kind: "done", record, at: Date.now(), took: Date.now() - startedAt, report };
		} catch (thrown) {
			const problem = asProblem(thrown);
			entry.note = "message" in problem ? problem.message : problem.kind;
			end("failed");
			throw problem;
		}
	}

	#end({ run: id, operation, act }: Passing, entry: HistoryEntry, record: RecordId | null): void {
		const { site, siteName, outcome, startedAt } = entry;
		const endedAt = entry.endedAt ?? startedAt;
		const took = endedAt - startedAt;
		this.#ended.push({ id, site, siteName, operation, act: act ?? null, outcome, record, endedAt, took });
		this.#tell();
	}

	/** Lets a run pass that leaves no record. `true`: it was stopped. */
	async pass(run: Passing & { siteName: string }, endless: boolean): Promise<boolean> {
		const startedAt = Date.now();
		const stopped = await this.#wait(run, run.siteName, startedAt, endless);
		const { run: id, site, siteName, operation, act } = run;
		if (act === "upload" && stopped === null) {
			const [endedAt, took] = [Date.now(), Date.now() - startedAt];
			this.#ended.push({ id, site, siteName, operation, act, outcome: "succeeded", record: null, endedAt, took });
		}
		this.#tell();
		return stopped !== null;
	}

	/** On which side of its request the run was stopped; `null` when it was not. */
	async #wait(
		order: Passing,
		siteName: string,
		startedAt: number,
		endless: boolean,
		lasts = 0,
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
			const pause = hangs ? new Promise<void>(() => {}) : sleep(this.#runMillis / steps.length + lasts);
			await Promise.race([pause, stop]);
			if (stopped) break;
		}
		this.#running.delete(order.run);
		if (!stopped) return null;
		return beforeTheRequest.has(view.step.kind) ? "before" : "after";
	}

	#usual(site: SiteId, operation: OperationKey): number | null {
		const before = this.#world.history.filter(
			(one) => one.site === site && one.operation === operation && one.outcome === "succeeded" && one.endedAt !== null,
		);
		const times = before.map((one) => (one.endedAt ?? 0) - one.startedAt).sort((one, other) => one - other);
		return times[Math.floor(times.length / 2)] ?? null;
	}

	#tell(): void {
		const now = this.now();
		for (const listener of this.#listeners) listener(now);
	}
}

export function sleep(millis: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, millis));
}
