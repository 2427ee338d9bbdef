import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { BackupPlan, PlanId, SiteView } from "@/bridge";
import { endsOf, usePlans } from "@/lib/queries/plans";
import { useStale } from "@/lib/stale";
import { useRunNow } from "./use-run-now";

/** The plans of a site and the way to run one. What a run left is there when it ends. */
export function useRuns(site: SiteView, running: PlanId | null) {
	const stale = useStale();
	/** Ends of the runs when the last one was asked for. */
	const [before, setBefore] = useState<string | null>(null);
	// The end of a run that is seen running is seen, too.
	const { data: list, error, refetch } = usePlans(site.id, running === null ? before : null);
	const runNow = useRunNow();
	const ends = list ? endsOf(list) : null;
	const seen = useRef(ends);
	const readLeft = useEffectEvent(() => void stale("runPlanNow", site.id));
	// Its beginning is seen on this page first.
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
