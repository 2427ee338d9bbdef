import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Backend, type GuidedTourView, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries/keys";

/** Changes the guided tour; `act` returns its new state. */
export function useGuidedTourAction<T = void>(act: (backend: Backend, value: T) => Promise<GuidedTourView>) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (value: T) => act(backend, value),
		onSuccess: (tour) => queries.setQueryData(queryKeys.guidedTour, tour),
	});
}
