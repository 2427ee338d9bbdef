import {
	type EndedRun,
	type HistoryEntry,
	type NewRun,
	type OperationKey,
	type Outcome,
	operations,
	type RunId,
	type RunResult,
	type RunStep,
	type RunsNow,
	type RunView,
	type ServerId,
	type SiteView,
} from "../bindings";
import { asProblem } from "../problem";
import { sleep } from "./answer";
import type { Deed } from "./deeds";
import { note, textParts } from "./history";
import { listeners } from "./listeners";
import { refused } from "./problems";
import { sessionOf } from "./sessions";
import { serverNameIn, type World } from "./world";

/** Steps before the request of the operation itself. */
const beforeTheRequest: ReadonlySet<RunStep["kind"]> = new Set([
	"preparing",
	"checking",
	"checkingExport",
	"securing",
	"verifying",
]);

const nothingSent: ReadonlySet<RunStep["kind"]> = new Set(["preparing", "checking", "checkingExport", "verifyingFile"]);

/** Whether the operation cannot run beside others. Searches can. */
function isExclusive(key: OperationKey): boolean {
	return operations.find((one) => one.key === key)?.impact !== "none";
}

type Passing = Pick<Deed<unknown>, "operation" | "server" | "act" | "steps"> &
	Partial<Pick<Deed<unknown>, "parameters">>;
type Ended = Pick<HistoryEntry, "outcome" | "startedAt">;

/** Returns what names a run, while it lasts and afterwards. */
const named = (site: SiteView, id: RunId, { operation, server = null, act, parameters = [] }: Passing) => ({
	id,
	site: site.id,
	siteName: site.name,
	server,
	serverName: serverNameIn(site, server),
	operation,
	act: act ?? null,
	isUndo: parameters.some(({ name }) => name === "undoes"),
});

export class RunBook {
	readonly #world: World;
	readonly #runMillis: number;
	readonly #running = new Map<RunId, { view: RunView; stop: () => void }>();
	readonly #ended: EndedRun[] = [];
	readonly #news = listeners<RunsNow>();
	readonly listen = this.#news.listen;
	#revision = 0;

	constructor(world: World, runMillis: number) {
		this.#world = world;
		this.#runMillis = runMillis;
	}

	/** Returns the running operations and the ended ones that were not dismissed. */
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

	stop(run: RunId): void {
		this.#running.get(run)?.stop();
	}

	/**
	 * Runs an operation: adds its entry, applies the change, and sets the outcome. With `endless`, it runs until it is
	 * stopped.
	 */
	async carryOut<T>(
		site: SiteView,
		{ id: run, reason }: NewRun,
		deed: Deed<T>,
		endless: boolean,
	): Promise<RunResult<T>> {
		const { operation, server = null, act, parameters, unrecorded, isCheck = false, isLocal = false } = deed;
		const offered = isLocal ? [] : sessionOf(this.#world, site.id).operations;
		const obstacle = offered.find((one) => one.operation === operation)?.reasons[0];
		const entry = note(this.#world, site, act ?? operation, {
			server,
			serverName: serverNameIn(site, server),
			endedAt: null,
			parameters,
			outcome: "sent",
			elapsed: null,
			siteVersion: "11.5",
			hasCommand: true,
			hasSafetyBackup: parameters.some(({ name }) => name === "safetyBackup"),
			reason: reason || (parameters.find(({ name }) => name === "why")?.value ?? ""),
		});
		if (unrecorded) this.#world.history.shift();
		const record = unrecorded ? null : entry.id;
		const { startedAt, hasSafetyBackup: canUndo } = entry;
		const end = (outcome: Outcome) => {
			const endedAt = Date.now();
			Object.assign(entry, { outcome, endedAt, elapsed: endedAt - startedAt });
			if (isLocal) this.#tell();
			else this.#end(site, run, deed, entry, record);
		};
		const stopped = await this.#wait(site, run, deed, startedAt, endless);
		if (stopped === "before" || (stopped === "after" && isCheck)) {
			end("notSent");
			return { kind: "notSent", record, backup: null };
		}
		if (stopped === "after") {
			end("unknown");
			return { kind: "unknown", record, stopped: true, problem: null, canUndo };
		}
		if (deed.end) {
			end(deed.end.kind === "failed" ? deed.end.outcome : deed.end.kind);
			return { ...deed.end, record };
		}
		try {
			// The site itself checks the role.
			if (obstacle) throw refused(403, "You do not have permissions to access this resource.");
			const report = deed.work(entry);
			const { outcome, note } = deed.judge(report);
			Object.assign(entry, { note, noteParts: textParts(note) });
			end(outcome);
			if (operation === "export_portal" && record !== null) this.#world.exported.portal = entry.endedAt;
			if (operation === "export_server" && record !== null) this.#world.exported.server = entry.endedAt;
			return { kind: "done", record, at: entry.endedAt ?? startedAt, took: entry.elapsed ?? 0, report };
		} catch (thrown) {
			const problem = asProblem(thrown);
			const note = "message" in problem ? problem.message : problem.kind;
			Object.assign(entry, { note, noteParts: textParts(note) });
			end("failed");
			return { kind: "failed", problem, outcome: "failed", record };
		}
	}

	/** Runs an upload, which has no history entry. Returns whether it was stopped. */
	async upload(
		site: SiteView,
		server: ServerId | null,
		run: RunId,
		steps: RunStep[],
		endless: boolean,
	): Promise<boolean> {
		const upload: Passing = { operation: "import_server", server, act: "upload", steps };
		const startedAt = Date.now();
		const stopped = await this.#wait(site, run, upload, startedAt, endless);
		if (stopped) this.#tell();
		else this.#end(site, run, upload, { outcome: "succeeded", startedAt }, null);
		return stopped !== null;
	}

	#end(site: SiteView, id: RunId, passed: Passing, { outcome, startedAt }: Ended, record: EndedRun["record"]): void {
		const endedAt = Date.now();
		const ended = { ...named(site, id, passed), outcome, record, endedAt, took: endedAt - startedAt };
		this.#ended.push(ended);
		this.#tell();
	}

	/** Returns whether the run was stopped before or after its request; `null` if it was not stopped. */
	async #wait(
		site: SiteView,
		id: RunId,
		passed: Passing,
		startedAt: number,
		endless: boolean,
	): Promise<"before" | "after" | null> {
		const { operation, steps = [{ kind: "waiting" }] } = passed;
		const step = steps[0] ?? { kind: "waiting" };
		const view: RunView = { ...named(site, id, passed), startedAt, step, sent: false, usual: this.#world.usual };
		let stopped = false;
		const stop = new Promise<void>((resolve) => {
			const stop = () => {
				stopped = true;
				resolve();
			};
			this.#running.set(id, { view, stop });
		});
		for (const step of steps) {
			view.step = step;
			view.sent ||= isExclusive(operation) && !nothingSent.has(step.kind);
			this.#tell();
			// The check of a location ends by itself; only the request after it is endless.
			const hangs = endless && step.kind !== "checking";
			const pause = hangs ? new Promise<void>(() => {}) : sleep(this.#runMillis / steps.length);
			await Promise.race([pause, stop]);
			if (stopped) break;
		}
		this.#running.delete(id);
		if (!stopped) return null;
		return beforeTheRequest.has(view.step.kind) ? "before" : "after";
	}

	#tell(): void {
		this.#news.tell(this.now());
	}
}
