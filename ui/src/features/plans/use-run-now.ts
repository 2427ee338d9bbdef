import type { BackupPlan } from "@/bridge";
import { useCommand } from "@/lib/use-command";

/** Runs a plan now, with the same job as the scheduler. */
export function useRunNow() {
	return useCommand(
		(backend, { id }: BackupPlan) => backend.runPlanNow(id),
		(stale, { site }) => stale("runPlanNow", site),
	);
}
