import { type ReactNode, useCallback, useRef, useState } from "react";
import type { DeactivationView, Problem, SiteView } from "@/bridge";
import { useLogComparison } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useReadFirst } from "@/lib/use-read-first";
import { useReadOnly } from "@/lib/use-read-only";
import { isActiveAgain, namesLeft } from "@/lib/webhooks-left";
import { AskReactivation } from "./ask-reactivation";
import { AskReactivationOfAll } from "./ask-reactivation-of-all";
import type { Actions } from "./use-actions";

type Entries = readonly DeactivationView[];

export interface AskToReactivate {
	/** Asks, after reading again, whether the webhooks of entries are reactivated; `null` while the site is locked. */
	ask: ((entries: Entries) => void) | null;
	busy: boolean;
	/** Why the log could not be compared again; then nothing is asked. */
	problem: Problem | null;
	dialog: ReactNode;
}

/** The question before the webhooks of one or several entries of the log are reactivated, from wherever it is asked. */
export function useReactivation(site: SiteView, { reactivation, reactivateAll }: Actions): AskToReactivate {
	const target = serverOf(site);
	const readOnly = useReadOnly(site);
	const [asking, setAsking] = useState<Entries>([]);
	const wanted = useRef<Entries>([]);
	const read = useReadFirst(useLogComparison(target, false), (fresh = []) => {
		const asked = new Set(wanted.current.map(({ id }) => id));
		// One that is active again is shown so in the log.
		setAsking(fresh.filter((entry) => asked.has(entry.id) && entry.resolvedAt === null && !isActiveAgain(entry)));
	});
	const latest = useRef(read.ask);
	latest.current = read.ask;
	// The same each time: a list that has it is not drawn again.
	const ask = useCallback((entries: Entries) => {
		wanted.current = entries;
		latest.current();
	}, []);
	const [first, ...others] = asking;
	const single = others.length === 0 ? first : undefined;
	const close = () => setAsking([]);
	return {
		ask: readOnly ? null : ask,
		busy: reactivation.running || reactivateAll.running || read.isReading,
		problem: read.problem,
		dialog: (
			<>
				<AskReactivation
					opened={single !== undefined && !readOnly}
					service={single?.service ?? ""}
					names={single ? namesLeft(single) : []}
					site={site}
					onCancel={close}
					onConfirm={(reason) => {
						close();
						if (single) reactivation.start({ entry: single, webhook: null }, reason);
					}}
				/>
				<AskReactivationOfAll
					opened={others.length > 0 && !readOnly}
					entries={asking}
					site={site}
					onCancel={close}
					onConfirm={(reason) => {
						close();
						reactivateAll.start(asking, reason);
					}}
				/>
			</>
		),
	};
}
