import type { PlanId, RecordId, SiteId } from "@/bridge";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

/** How often it is looked whether a step went on, in milliseconds. The site is not asked. */
const often = 2_000;

/** Rehearsals that were begun and have not ended. */
export function useRehearsals() {
	return useRead(queryKeys.rehearsals, (backend) => backend.rehearsals(), { staleTime: 0 });
}

/** Rehearsal of a set on a test site. It is looked at again while a step goes on by itself. */
export function useRehearsal(plan: PlanId, set: string, site: SiteId) {
	return useRead(queryKeys.rehearsal(plan, set, site), (backend) => backend.rehearsal(plan, set, site), {
		staleTime: 0,
		refetchInterval: ({ state: { data } }) =>
			data?.steps.some(({ state }) => state === "importing" || state === "comingBack") ? often : false,
	});
}

/** Receipt of a rehearsal, and what was put back since. */
export function useReceipt(record: RecordId) {
	return useRead(queryKeys.receipt(record), (backend) => backend.rehearsalReceipt(record), { staleTime: 0 });
}
