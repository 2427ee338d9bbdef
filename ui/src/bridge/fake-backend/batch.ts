import type { BatchItemResult, BatchResult, HistoryEntry, Outcome, RunStep, SiteView } from "../bindings";
import { asProblem } from "../problem";
import type { Deed } from "./deeds";
import { note } from "./history";
import type { World } from "./world";

const outcomes: Record<BatchItemResult<unknown>["kind"], Outcome> = {
	done: "succeeded",
	rejected: "failed",
	unknown: "unknown",
	notSent: "notSent",
};

/** Runs several changes, each with an entry of its own. A rejected change does not stop the others. */
export function oneByOne<T>(world: World, site: SiteView, deeds: Deed<T>[]): Omit<Deed<BatchResult<T>>, "operation"> {
	function partOf(
		{ operation, act, parameters, work }: Deed<T>,
		given: BatchItemResult<never> | null,
		shared: Pick<HistoryEntry, "reason" | "batch">,
	): BatchItemResult<T> {
		const entry = note(world, site, act ?? operation, { parameters, hasCommand: true, ...shared });
		try {
			const part = given ?? { kind: "done" as const, record: entry.id, report: work(entry, null) };
			entry.outcome = outcomes[part.kind];
			return part;
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
			return { stopped: kinds.has("notSent") && !kinds.has("unknown"), parts };
		},
		judge: ({ parts }) => {
			const done = parts.filter(({ kind }) => kind === "done").length;
			return { outcome: done === parts.length ? "succeeded" : "warnings", note: `${done} of ${parts.length}` };
		},
	};
}
