import type { BackupPlan } from "@/bridge";
import { useCommand } from "@/lib/use-command";

/** Runs a plan now, by the job that also starts it at night. */
export function useRunNow() {
	return useCommand(
		(backend, { id }: BackupPlan) => backend.runPlanNow(id),
		(stale, { site }) => stale("runPlanNow", site),
	);
}
