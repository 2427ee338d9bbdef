import { keepPreviousData } from "@tanstack/react-query";
import type { PlanForm, PlanId, PlanList, RecordId, Schedule, ServerId, SiteId } from "@/bridge";
import { queryKeys, useRead } from "./keys";

/** Interval for reading what the plan runner writes while a page shows it, in milliseconds. */
const statusInterval = 30_000;

/** Interval for reading the progress of a run, in milliseconds. */
const progressInterval = 2_000;

/**
 * Backup plans of a site; sends no request to the site. `before`: {@link endsOf} at the time a run was requested. Until
 * it changes, the plans are read more often, because a short run ends before its progress is read.
 */
export function usePlans(site: SiteId, before: string | null = null) {
	return useRead(queryKeys.plans(site), (backend) => backend.listPlans(site), {
		// The plan runner, another process, writes the ends of runs.
		staleTime: 0,
		refetchInterval: ({ state: { data } }) =>
			before !== null && endsOf(data) === before ? progressInterval : statusInterval,
	});
}

/** Returns the last ended run of each plan with its verdict, as text for comparison. */
export function endsOf(list: PlanList | undefined): string {
	return JSON.stringify(list?.plans.map(({ plan, last }) => [plan.id, last?.at, last?.verdict]) ?? []);
}

/** Plans of all sites that need a user and were not marked as seen. */
export function usePlanTroubles() {
	return useRead(queryKeys.planTroubles, (backend) => backend.planTroubles(), {
		staleTime: 0,
		refetchInterval: statusInterval,
	});
}

/** Current run of the plan runner, and how the runner is registered with the system. */
export function usePlanRunner() {
	return useRead(queryKeys.planRunner, (backend) => backend.planRunner(), {
		staleTime: 0,
		refetchInterval: progressInterval,
	});
}

/** Sets in the folder of a plan. Reads nothing if `plan` is `null`. */
export function usePlanSets(site: SiteId, plan: PlanId | null) {
	return useRead(
		queryKeys.planSets(site, plan ?? ""),
		plan === null ? null : (backend) => backend.planSets(plan),
		// Other computers can write to the folder.
		{ staleTime: 0 },
	);
}

/** Sets that the retention rules of an unsaved plan would remove and keep. */
export function usePlanPreview(form: PlanForm) {
	return useRead(queryKeys.planPreview(form), (backend) => backend.previewPlan(form), {
		placeholderData: keepPreviousData,
		gcTime: 0,
	});
}

/** Whether an unsaved plan can run without a user. The earlier result stays while it is read again. */
export function usePlanAcceptance(form: PlanForm) {
	return useRead(queryKeys.planAcceptance(form), (backend) => backend.planAcceptance(form), {
		placeholderData: keepPreviousData,
		staleTime: 0,
		gcTime: 0,
	});
}

export function useNextRuns(schedule: Schedule) {
	return useRead(queryKeys.nextRuns(schedule), (backend) => backend.nextRuns(schedule), {
		placeholderData: keepPreviousData,
		staleTime: 0,
		gcTime: 0,
	});
}

export function useSetInventories(site: SiteId, plan: PlanId, set: string) {
	return useRead(queryKeys.setInventories(site, plan, set), (backend) => backend.setInventories(plan, set));
}

export function useSetTrail(site: SiteId, plan: PlanId, set: string) {
	return useRead(queryKeys.setTrail(site, plan, set), (backend) => backend.setTrail(plan, set), {
		// The plan runner, another process, sends the alerts.
		staleTime: 0,
	});
}

export function useSetServices(site: SiteId, plan: PlanId, set: string, server: ServerId) {
	return useRead(queryKeys.setServices(site, plan, set, server), (backend) => backend.setServices(plan, set, server));
}

/** Steps of a restore from a backup set, with the history entry of each. */
export function useSiteRestore(plan: PlanId, set: string) {
	return useRead(queryKeys.siteRestore(plan, set), (backend) => backend.siteRestore(plan, set), { staleTime: 0 });
}

/** Searches the sets of all plans of a site. Reads nothing without words. */
export function useSetSearch(site: SiteId, words: string) {
	return useRead(
		queryKeys.setSearch(site, words),
		words === "" ? null : (backend) => backend.searchSets(site, words),
		// Results stay while the user views a set; a change of a plan or its sets invalidates them.
		{ staleTime: Number.POSITIVE_INFINITY },
	);
}

/** Interval for reading whether a step continued, in milliseconds. Sends no request to the site. */
const often = 2_000;

/** Rehearsals that were begun and have not ended. */
export function useRehearsals() {
	return useRead(queryKeys.rehearsals, (backend) => backend.rehearsals(), { staleTime: 0 });
}

/** Rehearsal of a set on a test site. Read at intervals while an import runs or the site is coming back. */
export function useRehearsal(plan: PlanId, set: string, site: SiteId) {
	return useRead(queryKeys.rehearsal(plan, set, site), (backend) => backend.rehearsal(plan, set, site), {
		staleTime: 0,
		refetchInterval: ({ state: { data } }) =>
			data?.steps.some(({ state }) => state === "importing" || state === "comingBack") ? often : false,
	});
}

/** Receipt of a rehearsal, and which of its imports were undone since. */
export function useReceipt(record: RecordId) {
	return useRead(queryKeys.receipt(record), (backend) => backend.rehearsalReceipt(record), { staleTime: 0 });
}
