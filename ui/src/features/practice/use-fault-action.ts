import type { Backend, FaultRule, GuidedTourView } from "@/bridge";
import { queryKeys } from "@/lib/queries/keys";
import { useCommand } from "@/lib/use-command";

/** Changes the simulated faults; `act` returns the active ones. Adding one can complete a step of the guided tour. */
export function useFaultAction<T = void>(act: (backend: Backend, value: T) => Promise<FaultRule[]>) {
	return useCommand(act, (stale) => stale("addFault"), { answers: queryKeys.activeFaults });
}

/** Changes the guided tour; `act` returns its new state. */
export function useGuidedTourAction<T = void>(act: (backend: Backend, value: T) => Promise<GuidedTourView>) {
	return useCommand(act, null, { answers: queryKeys.guidedTour });
}
