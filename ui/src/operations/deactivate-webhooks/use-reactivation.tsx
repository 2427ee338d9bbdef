import { type ReactNode, useCallback, useRef, useState } from "react";
import type { DeactivationView, Problem, SiteView } from "@/bridge";
import { isActiveAgain, stillInactive } from "@/lib/active-again";
import { useActiveAgain, useLogComparison } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useReadFirst } from "@/lib/use-read-first";
import { useReadOnly } from "@/lib/use-read-only";
import { AskReactivation } from "./ask-reactivation";
import type { Actions } from "./use-actions";

export interface AskToReactivate {
	/** Asks, after reading again, whether the webhooks of an entry are reactivated; `null` while the site is locked. */
	ask: ((entry: DeactivationView) => void) | null;
	busy: boolean;
	/** Why the log could not be compared again; then nothing is asked. */
	problem: Problem | null;
	dialog: ReactNode;
}

/** The question before the webhooks of an entry of the log are reactivated, from wherever it is asked. */
export function useReactivation(site: SiteView, { reactivation, reactivateAll }: Actions): AskToReactivate {
	const target = serverOf(site);
	const readOnly = useReadOnly(site);
	const activeAgain = useActiveAgain(target, false);
	const [asking, setAsking] = useState<DeactivationView | null>(null);
	const wanted = useRef<DeactivationView | null>(null);
	const read = useReadFirst(useLogComparison(target), (fresh) => {
		const entry = wanted.current;
		const now = fresh?.find((one) => one.entry === entry?.id)?.webhooks ?? [];
		// One that is active again is shown so in the log.
		setAsking(entry && !isActiveAgain(entry, now) ? entry : null);
	});
	const latest = useRef(read.ask);
	latest.current = read.ask;
	// The same each time: a list that has it is not drawn again.
	const ask = useCallback((entry: DeactivationView) => {
		wanted.current = entry;
		latest.current();
	}, []);
	return {
		ask: readOnly ? null : ask,
		busy: reactivation.running || reactivateAll.running || read.isReading,
		problem: read.problem,
		dialog: (
			<AskReactivation
				opened={asking !== null && !readOnly}
				service={asking?.service ?? ""}
				names={asking ? stillInactive(asking, activeAgain.get(asking.id) ?? []) : []}
				site={site}
				onCancel={() => setAsking(null)}
				onConfirm={(reason) => {
					setAsking(null);
					if (asking) reactivation.start({ entry: asking, webhook: null }, reason);
				}}
			/>
		),
	};
}
