import { keepPreviousData } from "@tanstack/react-query";
import type { PlanForm, PlanId, PlanList, Schedule, ServerId, SiteId } from "@/bridge";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

/** How often what the runner writes is read while a page shows it, in milliseconds. */
const interval = 30_000;

/** How often the progress of a run is read, in milliseconds. */
const often = 2_000;

/**
 * The backup plans of a site. The site is not asked. After a run was asked for, `before` has the ends of the runs before it:
 * a short one is over before its progress is read.
 */
export function usePlans(site: SiteId, before: string | null = null) {
	return useRead(queryKeys.plans(site), (backend) => backend.listPlans(site), {
		// Runs and their ends are written by another process.
		staleTime: 0,
		refetchInterval: ({ state: { data } }) => (before !== null && endsOf(data) === before ? often : interval),
	});
}

/** Which run of each plan ended last, and how: it differs as soon as another one ended. */
export function endsOf(list: PlanList | undefined): string {
	return JSON.stringify(list?.plans.map(({ plan, last }) => [plan.id, last?.at, last?.verdict]) ?? []);
}

/** The plans of all sites that need a user, as far as no user has seen it. */
export function usePlanTroubles() {
	return useRead(queryKeys.planTroubles, (backend) => backend.planTroubles(), {
		staleTime: 0,
		refetchInterval: interval,
	});
}

/** What the runner does now, and how it is registered. */
export function usePlanRunner() {
	return useRead(queryKeys.planRunner, (backend) => backend.planRunner(), { staleTime: 0, refetchInterval: often });
}

/** The sets in the folder of a plan; not while there is none. */
export function usePlanSets(site: SiteId, plan: PlanId | null) {
	return useRead(
		queryKeys.planSets(site, plan ?? ""),
		plan === null ? null : (backend) => backend.planSets(plan),
		// Another computer may write to the folder, too.
		{ staleTime: 0 },
	);
}

/** What the rules of a plan that is not saved would do with its sets. */
export function usePlanPreview(form: PlanForm) {
	return useRead(queryKeys.planPreview(form), (backend) => backend.previewPlan(form), {
		placeholderData: keepPreviousData,
		gcTime: 0,
	});
}

/** Whether a plan that is not saved can run without a user. The earlier lines stay while it is read again. */
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

/** The inventories of the parts of a set. */
export function useSetInventories(site: SiteId, plan: PlanId, set: string) {
	return useRead(queryKeys.setInventories(site, plan, set), (backend) => backend.setInventories(plan, set));
}

/** What the audit trail tells of a set. */
export function useSetTrail(site: SiteId, plan: PlanId, set: string) {
	return useRead(queryKeys.setTrail(site, plan, set), (backend) => backend.setTrail(plan, set), {
		// Alerts are sent by another process.
		staleTime: 0,
	});
}

/** The services of a server in a set. */
export function useSetServices(site: SiteId, plan: PlanId, set: string, server: ServerId) {
	return useRead(queryKeys.setServices(site, plan, set, server), (backend) => backend.setServices(plan, set, server));
}

/** The steps of a restore from a set, with what the history has of each. */
export function useSiteRestore(plan: PlanId, set: string) {
	return useRead(queryKeys.siteRestore(plan, set), (backend) => backend.siteRestore(plan, set), { staleTime: 0 });
}

/** Searches the sets of all plans of a site; not without words. */
export function useSetSearch(site: SiteId, words: string) {
	return useRead(
		queryKeys.setSearch(site, words),
		words === "" ? null : (backend) => backend.searchSets(site, words),
		// Kept while a found set is looked at, unless a plan or its sets change.
		{ staleTime: Number.POSITIVE_INFINITY },
	);
}
