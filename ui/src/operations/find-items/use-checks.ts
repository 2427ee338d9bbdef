import type { RunResult, RunView, SearchId, Target } from "@/bridge";
import { useRuns } from "@/lib/runs";
import { targetKey } from "@/lib/target";
import { useCommand } from "@/lib/use-command";

/** Returns the running checks of a server, of every page. Of each kind, one runs at a time. */
export function useRunningChecks(target: Target): Record<"validation" | "use", RunView | null> {
	const here = useRuns().filter((run) => targetKey(run) === targetKey(target));
	const of = (act: RunView["act"]) => here.find((run) => run.act === act) ?? null;
	return { validation: of("validate_data_items"), use: of("find_data_use") };
}

/** Turns a failed run into a rejection, so that it becomes the error of the command. */
async function ending<T>(check: Promise<RunResult<T>>): Promise<RunResult<T>> {
	const ended = await check;
	if (ended.kind === "failed") throw ended.problem;
	return ended;
}

/** Validates an item, or all items of a search if `item` is `null`. */
export function useValidation(target: Target, search: SearchId) {
	return useCommand(
		(backend, item: number | null) => ending(backend.validateItems(target, crypto.randomUUID(), search, item)),
		(stale) => stale("validateItems", target),
	);
}

/** Reads from the manifests which services use which data. */
export function useDataUse(target: Target) {
	return useCommand(
		(backend) => ending(backend.findDataUse(target, crypto.randomUUID())),
		(stale) => stale("findDataUse", target),
	);
}

export type Validation = ReturnType<typeof useValidation>;
export type FindUse = ReturnType<typeof useDataUse>;
