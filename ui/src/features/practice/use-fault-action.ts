import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Backend, type FaultRule, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries/keys";
import { useStale } from "@/lib/stale";

/** Changes the simulated faults; `act` returns the active ones. Adding one can complete a step of the guided tour. */
export function useFaultAction<T = void>(act: (backend: Backend, value: T) => Promise<FaultRule[]>) {
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	return useMutation({
		mutationFn: (value: T) => act(backend, value),
		onSuccess: async (active) => {
			queries.setQueryData(queryKeys.activeFaults, active);
			await stale("addFault");
		},
	});
}
