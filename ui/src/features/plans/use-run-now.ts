import { useMutation } from "@tanstack/react-query";
import { type BackupPlan, useBackend } from "@/bridge";
import { useStale } from "@/lib/stale";

/** Runs a plan now, by the job that also starts it at night. */
export function useRunNow() {
	const backend = useBackend();
	const stale = useStale();
	return useMutation({
		mutationFn: ({ id }: BackupPlan) => backend.runPlanNow(id),
		onSuccess: (_, { site }) => stale("runPlanNow", site),
	});
}
