import { useMutation } from "@tanstack/react-query";
import { type BackupPlan, type PlanForm, useBackend } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useStale } from "@/lib/stale";

/** Returns the form of a saved plan. */
function formOf({ since: _, ...plan }: BackupPlan): PlanForm {
	return { ...plan, accountKey: null };
}

/** Pauses a plan, or resumes it. One that needs a user is not resumed: its editor has the list of what it lacks. */
export function useSetEnabled(plan: BackupPlan) {
	const backend = useBackend();
	const stale = useStale();
	const { go } = useNavigation();
	return useMutation({
		mutationFn: (isEnabled: boolean) => backend.savePlan({ ...formOf(plan), isEnabled }),
		onSuccess: () => stale("savePlan", plan.site),
		onError: ({ kind }) => {
			// A key of a storage account is missing, for example.
			if (kind === "planNotAccepted" || kind === "form") go({ page: "edit-plan", site: plan.site, plan: plan.id });
		},
	});
}
