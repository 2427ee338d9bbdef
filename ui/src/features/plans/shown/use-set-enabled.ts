import type { BackupPlan, PlanForm } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useCommand } from "@/lib/use-command";

/** Returns a saved plan as a form, to save it again or to read its acceptance list. */
export function formOf({ since: _since, enabledSince: _enabled, paused: _paused, ...plan }: BackupPlan): PlanForm {
	return { ...plan, tellsChanges: plan.tellsChanges ?? false, accountKey: null };
}

/** Pauses or resumes a plan. If it cannot be resumed, its editor opens, which shows what is missing. */
export function useSetEnabled(plan: BackupPlan) {
	const { go } = useNavigation();
	return useCommand(
		(backend, isEnabled: boolean) => backend.savePlan({ ...formOf(plan), isEnabled }),
		["savePlan", plan.site],
		{
			onFailed: ({ kind }) => {
				// The user must complete the plan first, for example enter the key of a storage account.
				if (kind === "planNotAccepted" || kind === "form") go({ page: "edit-plan", site: plan.site, plan: plan.id });
			},
		},
	);
}
