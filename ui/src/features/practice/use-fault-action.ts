import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Backend, type FaultRule, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";

/** An act that answers with what is armed then. An order may be a step of the guided tour. */
export function useFaultAction<T = void>(act: (backend: Backend, value: T) => Promise<FaultRule[]>) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (value: T) => act(backend, value),
		onSuccess: async (armed) => {
			queries.setQueryData(queryKeys.activeFaults, armed);
			await queries.invalidateQueries({ queryKey: queryKeys.guidedTour });
		},
	});
}
