import type { RunResult, RunView, SearchId, Target } from "@/bridge";
import { useRuns } from "@/lib/runs";
import { targetKey } from "@/lib/target";
import { useCommand } from "@/lib/use-command";

/** The checks of a server that run now, also those of another page: of each kind, one at a time is enough. */
export function useRunningChecks(target: Target): Record<"validation" | "use", RunView | null> {
	const here = useRuns().filter((run) => targetKey(run) === targetKey(target));
	const of = (act: RunView["act"]) => here.find((run) => run.act === act) ?? null;
	return { validation: of("validate_data_items"), use: of("find_data_use") };
}

/** A check that failed is an error of its mutation. */
async function ending<T>(check: Promise<RunResult<T>>): Promise<RunResult<T>> {
	const ended = await check;
	if (ended.kind === "failed") throw ended.problem;
	return ended;
}

/** Validates an item, or all of a search for `null`. */
export function useValidation(target: Target, search: SearchId) {
	return useCommand(
		(backend, item: number | null) => ending(backend.validateItems(target, crypto.randomUUID(), search, item)),
		(stale) => stale("validateItems", target),
	);
}

/** Reads which data each service uses. */
export function useDataUse(target: Target) {
	return useCommand(
		(backend) => ending(backend.findDataUse(target, crypto.randomUUID())),
		(stale) => stale("findDataUse", target),
	);
}

export type Validation = ReturnType<typeof useValidation>;
export type FindUse = ReturnType<typeof useDataUse>;
