import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Backend, type GuidedTourView, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";

/** State of the guided tour. It is read again after a run, a simulated fault, an opened data item and a saved audit package. */
export function useGuidedTour() {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.guidedTour, queryFn: () => backend.guidedTour() });
}

/** A change of the tour. It returns the tour after it. */
export function useGuidedTourAction<T = void>(act: (backend: Backend, value: T) => Promise<GuidedTourView>) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (value: T) => act(backend, value),
		onSuccess: (tour) => queries.setQueryData(queryKeys.guidedTour, tour),
	});
}
