import type { Backend, GuidedTourView } from "@/bridge";
import { queryKeys } from "@/lib/queries/keys";
import { useCommand } from "@/lib/use-command";

/** Changes the guided tour; `act` returns its new state. */
export function useGuidedTourAction<T = void>(act: (backend: Backend, value: T) => Promise<GuidedTourView>) {
	return useCommand(act, null, { answers: queryKeys.guidedTour });
}
