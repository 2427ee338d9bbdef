import { useDebouncedValue } from "@mantine/hooks";
import type { AcceptanceLine, BackupPlan, PlanForm, Problem, SiteView } from "@/bridge";
import { usePlanAcceptance } from "@/lib/queries/plans";
import { formOf, type PlanValues } from "./values";

/**
 * Delay after the last change before the acceptance list is read, in milliseconds: each reading writes a trial file.
 */
const readDelay = 300;

export interface AcceptanceHandle {
	/** Lines of the last reading; empty before the first. */
	lines: readonly AcceptanceLine[];
	/** Whether the list is being read, or belongs to an earlier state of the form. */
	isReading: boolean;
	/** First condition that is not met; `null` if all are. */
	obstacle: AcceptanceLine | null;
	problem: Problem | null;
	reload: () => void;
}

/** Acceptance list of the plan in the form. */
export function useAcceptance(site: SiteView, plan: BackupPlan | null, values: PlanValues): AcceptanceHandle {
	const now = JSON.stringify(acceptanceInput(formOf(site, plan, values, true)));
	const [settled] = useDebouncedValue(now, readDelay);
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

/** Removes the values on which the acceptance list does not depend. */
function acceptanceInput(form: PlanForm): PlanForm {
	const keep = { last: null, daily: null, weekly: null, monthly: null, withinDays: null };
	return { ...form, name: "", keep, rehearseDays: null, alerts: [] };
}
