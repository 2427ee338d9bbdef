import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RunView, type SearchId, type SiteId, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";
import { useRuns } from "@/lib/runs";

/** The checks of a site that run now, whoever began them: of each kind, one at a time is enough. */
export function useRunningChecks(site: SiteId): Record<"validation" | "use", RunView | null> {
	const here = useRuns().filter((run) => run.site === site);
	const of = (act: RunView["act"]) => here.find((run) => run.act === act) ?? null;
	return { validation: of("validate_data_items"), use: of("find_data_use") };
}

/** Validates an item, or all of a search for `null`. */
export function useValidation(site: SiteId, search: SearchId) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (item: number | null) => backend.validateItems(site, crypto.randomUUID(), search, item),
		onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.itemChecks(site) }),
	});
}

/** Reads which data each service uses. */
export function useDataUse(site: SiteId) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: () => backend.findDataUse(site, crypto.randomUUID()),
		onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.itemChecks(site) }),
	});
}

export type Validation = ReturnType<typeof useValidation>;
export type FindUse = ReturnType<typeof useDataUse>;
