import type { BackupPlan, PlanForm } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useCommand } from "@/lib/use-command";

/** Returns the form of a saved plan. */
function formOf({ since: _, ...plan }: BackupPlan): PlanForm {
	return { ...plan, accountKey: null };
}

/** Pauses a plan, or resumes it. One that needs a user is not resumed: its editor has the list of what it lacks. */
export function useSetEnabled(plan: BackupPlan) {
	const { go } = useNavigation();
	return useCommand(
		(backend, isEnabled: boolean) => backend.savePlan({ ...formOf(plan), isEnabled }),
		(stale) => stale("savePlan", plan.site),
		{
			onFailed: ({ kind }) => {
				// A key of a storage account is missing, for example.
				if (kind === "planNotAccepted" || kind === "form") go({ page: "edit-plan", site: plan.site, plan: plan.id });
			},
		},
	);
}
