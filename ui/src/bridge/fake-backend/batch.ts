import type { BatchItemResult, BatchResult, HistoryEntry, Outcome, RunStep, SiteView } from "../bindings";
import { asProblem } from "../problem";
import type { Deed } from "./deeds";
import { note } from "./history";
import type { World } from "./world";

const outcomes = { rejected: "failed", unknown: "unknown", notSent: "notSent" } as const;

const outcomeOf = (part: BatchItemResult<unknown>): Outcome =>
	part.kind === "done" ? part.outcome : outcomes[part.kind];

/** Returns the outcome of several changes together. */
export function together(parts: readonly BatchItemResult<unknown>[]): Outcome {
	const ends = parts.map(outcomeOf);
	if (ends.includes("unknown")) return "unknown";
	if (ends.every((end) => end === "succeeded")) return "succeeded";
	return ends.every((end) => end === "failed" || end === "notSent") ? "failed" : "warnings";
}

/** Runs several changes, each with an entry of its own. A rejected change does not stop the others. */
export function oneByOne<T>(world: World, site: SiteView, deeds: Deed<T>[]): Omit<Deed<BatchResult<T>>, "operation"> {
	function partOf(
		{ operation, act, parameters, work, judge }: Deed<T>,
		given: BatchItemResult<never> | null,
		shared: Pick<HistoryEntry, "reason" | "batch">,
	): BatchItemResult<T> {
		const entry = note(world, site, act ?? operation, { parameters, hasCommand: true, ...shared });
		try {
			if (given) {
				entry.outcome = outcomeOf(given);
				return given;
			}
			const report = work(entry);
			entry.outcome = judge(report).outcome;
			return { kind: "done", record: entry.id, outcome: entry.outcome, report };
		} catch (thrown) {
			entry.outcome = "failed";
			return { kind: "rejected", problem: asProblem(thrown) };
		}
	}
	return {
		unrecorded: true,
		parameters: [],
		steps: deeds.map((_, done): RunStep => ({ kind: "batch", done, total: deeds.length })),
		work: ({ reason }) => {
			const batch = deeds.length > 1 ? crypto.randomUUID() : null;
			if (batch !== null) world.batchSizes.set(batch, deeds.length);
			const parts: BatchItemResult<T>[] = [];
			for (const [at, deed] of deeds.entries()) {
				const before = parts.at(-1)?.kind;
				const isOver = before === "unknown" || before === "notSent";
				parts.push(isOver ? { kind: "notSent" } : partOf(deed, world.severalEnds[at] ?? null, { reason, batch }));
			}
			const kinds = new Set(parts.map(({ kind }) => kind));
			return { stopped: kinds.has("notSent") && !kinds.has("unknown"), outcome: together(parts), parts };
		},
		judge: ({ outcome, parts }) => {
			const done = parts.filter(({ kind }) => kind === "done").length;
			return { outcome, note: `${done} of ${parts.length}` };
		},
	};
}
