import { useMutation } from "@tanstack/react-query";
import { type BackupPlan, type PlanForm, useBackend } from "@/bridge";
import { useStale } from "@/lib/stale";

/** Returns the form of a saved plan. */
function formOf({ since: _, ...plan }: BackupPlan): PlanForm {
	return plan;
}

/** Pauses a plan, or resumes it. */
export function useSetEnabled(plan: BackupPlan) {
	const backend = useBackend();
	const stale = useStale();
	return useMutation({
		mutationFn: (isEnabled: boolean) => backend.savePlan({ ...formOf(plan), isEnabled }),
		onSuccess: () => stale("savePlan", plan.site),
	});
}
