import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { BackupPlan, PlanId, SiteView } from "@/bridge";
import { endsOf, usePlans } from "@/lib/queries/plans";
import { useStale } from "@/lib/stale";
import { useRunNow } from "./use-run-now";

/** Plans of a site, with a function that runs one. The sets are read again when a run ends. */
export function useRuns(site: SiteView, running: PlanId | null) {
	const stale = useStale();
	/** Ends of runs when a run was last requested. */
	const [before, setBefore] = useState<string | null>(null);
	// While a run is visible, its end will be noticed without frequent reads.
	const { data: list, error, refetch } = usePlans(site.id, running === null ? before : null);
	const runNow = useRunNow();
	const ends = list ? endsOf(list) : null;
	const seen = useRef(ends);
	const readLeft = useEffectEvent(() => void stale("runPlanNow", site.id));
	// On the first render and when a visible run ends: its sets might be newer than those in the cache.
	useEffect(() => {
		if (running === null) readLeft();
	}, [running]);
	useEffect(() => {
		if (seen.current !== null && seen.current !== ends) readLeft();
		seen.current = ends;
	}, [ends]);
	const mutate = (plan: BackupPlan) => {
		setBefore(ends);
		runNow.mutate(plan);
	};
	return { list, error, refetch, run: { mutate, error: runNow.error } };
}
