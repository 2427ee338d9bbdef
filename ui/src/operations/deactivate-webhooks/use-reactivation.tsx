import { type ReactNode, useCallback, useRef, useState } from "react";
import type { DeactivationView, Problem, SiteView } from "@/bridge";
import { useLogComparison } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useReadFirst } from "@/lib/use-read-first";
import { useReadOnly } from "@/lib/use-read-only";
import { isActiveAgain } from "@/lib/webhooks-left";
import { AskReactivation } from "./ask-reactivation";
import type { Actions } from "./use-actions";

type Entries = readonly DeactivationView[];

export interface AskToReactivate {
	/** Reads the log again and opens the confirmation; `null` while the site is locked. */
	ask: ((entries: Entries) => void) | null;
	busy: boolean;
	/** Why the log could not be compared. The confirmation does not open then. */
	problem: Problem | null;
	dialog: ReactNode;
}

/** Confirmation of a reactivation, shared by all places that offer one. */
export function useReactivation(site: SiteView, { reactivation, reactivateAll }: Actions): AskToReactivate {
	const target = serverOf(site);
	const readOnly = useReadOnly(site);
	const [asking, setAsking] = useState<Entries>([]);
	const wanted = useRef<Entries>([]);
	const read = useReadFirst(useLogComparison(target, false), (fresh = []) => {
		const asked = new Set(wanted.current.map(({ id }) => id));
		// Webhooks that are active again are shown in the log and need no confirmation.
		setAsking(fresh.filter((entry) => asked.has(entry.id) && entry.resolvedAt === null && !isActiveAgain(entry)));
	});
	const latest = useRef(read.ask);
	latest.current = read.ask;
	// Stable, so that lists with this function are not rendered again.
	const ask = useCallback((entries: Entries) => {
		wanted.current = entries;
		latest.current();
	}, []);
	const start = (reason: string) => {
		const [first, ...others] = asking;
		if (others.length > 0) reactivateAll.start(asking, reason);
		else if (first) reactivation.start({ entry: first, webhook: null }, reason);
	};
	return {
		ask: readOnly ? null : ask,
		busy: reactivation.running || reactivateAll.running || read.isReading,
		problem: read.problem,
		dialog: <AskReactivation entries={asking} site={site} onCancel={() => setAsking([])} onConfirm={start} />,
	};
}
