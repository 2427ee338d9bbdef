import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { BackupPlan, PlanId, SiteView } from "@/bridge";
import { queryKeys } from "@/lib/queries/keys";
import { endsOf, usePlans } from "@/lib/queries/plans";
import { useStale } from "@/lib/stale";
import { useRunNow } from "./use-run-now";

/** The plans of a site and the way to run one. What a run left is there when it ends. */
export function useRuns(site: SiteView, running: PlanId | null) {
	const queries = useQueryClient();
	const stale = useStale();
	/** Ends of the runs when the last one was asked for. */
	const [before, setBefore] = useState<string | null>(null);
	// The end of a run that is seen running is seen, too.
	const { data: list, error, refetch } = usePlans(site.id, running === null ? before : null);
	const runNow = useRunNow();
	const ends = list ? endsOf(list) : null;
	const seen = useRef(ends);
	const readLeft = useEffectEvent(() => {
		void stale("savePlan", site.id);
		// A run may use up a simulated fault.
		if (site.environment === "practice") void queries.invalidateQueries({ queryKey: queryKeys.activeFaults });
	});
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
