import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type DeactivationView, type SiteView, useBackend } from "@/bridge";

/**
 * The way back of a service. It is a run of this screen's operation, which hides the list while it lasts: what came of
 * it must be kept above the list.
 */
export function useReactivation(site: SiteView, onMutate: () => void) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (entry: DeactivationView) => backend.reactivateWebhooks(site.id, crypto.randomUUID(), entry.id),
		onMutate,
		onSettled: () => queries.invalidateQueries({ queryKey: ["site", site.id] }),
	});
}

/** The same of several entries, in one run. */
export function useReactivationOfAll(site: SiteView, onMutate: () => void) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (entries: readonly DeactivationView[]) =>
			backend.reactivateAllWebhooks(
				site.id,
				crypto.randomUUID(),
				entries.map(({ id }) => id),
			),
		onMutate,
		onSettled: () => queries.invalidateQueries({ queryKey: ["site", site.id] }),
	});
}

export type Reactivation = ReturnType<typeof useReactivation>;
export type ReactivateAll = ReturnType<typeof useReactivationOfAll>;
