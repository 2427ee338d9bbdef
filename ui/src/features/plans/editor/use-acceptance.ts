import { useDebouncedValue } from "@mantine/hooks";
import type { AcceptanceLine, BackupPlan, PlanForm, Problem, SiteView } from "@/bridge";
import { usePlanAcceptance } from "@/lib/queries/plans";
import { formOf, type PlanValues } from "./values";

/** Parts, folder and schedule are complete that long after the last change, in milliseconds: each reading writes a trial file. */
const pause = 300;

export interface AcceptanceHandle {
	/** Lines as they were read last; none before that. */
	lines: readonly AcceptanceLine[];
	/** Whether they are read now, or are of an earlier state of the form. */
	isReading: boolean;
	/** The first line that keeps the plan from running. */
	obstacle: AcceptanceLine | null;
	problem: Problem | null;
	reload: () => void;
}

/** The acceptance list of a plan as it is filled in. */
export function useAcceptance(site: SiteView, plan: BackupPlan | null, values: PlanValues): AcceptanceHandle {
	const now = JSON.stringify(ofInterest(formOf(site, plan, values, true)));
	const [settled] = useDebouncedValue(now, pause);
	const { data, error, isFetching, refetch } = usePlanAcceptance(JSON.parse(settled) as PlanForm);
	const lines = data ?? [];
	return {
		lines,
		isReading: isFetching || settled !== now,
		obstacle: lines.find(({ state }) => state === "notMet") ?? null,
		problem: error,
		reload: () => void refetch(),
	};
}

/** A form without what the list does not depend on. */
function ofInterest(form: PlanForm): PlanForm {
	const keep = { last: null, daily: null, weekly: null, monthly: null, withinDays: null };
	return { ...form, name: "", keep, rehearseDays: null, alerts: [] };
}
