import { type GuidedTourStep, type GuidedTourView, operations, type SiteView } from "@/bridge";
import type { Place } from "@/lib/navigation";
import { targetOf } from "@/lib/target-of";
import { operationUis } from "@/operations";

const ofChanges: readonly GuidedTourStep[] = ["takeSnapshot", "findChange", "acceptChange"];
const ofRehearsals: readonly GuidedTourStep[] = ["beginRehearsal", "endRehearsal", "putBack"];

export function placeOf(step: GuidedTourStep, site: SiteView): Place {
	if (step === "addFault" || step === "findExpiring" || step === "simulateChanges") {
		return { page: "practice", site: site.id };
	}
	if (ofChanges.includes(step)) return { page: "changes", site: site.id };
	if (ofRehearsals.includes(step)) return { page: "plans", site: site.id };
	const there = operations.find(({ key }) => operationUis[key].tourSteps?.includes(step));
	return there ? { page: "operation", ...targetOf(there.key, site), key: there.key } : { page: "history" };
}

export function isAt(place: Place, step: GuidedTourStep, site: SiteView): boolean {
	const there = placeOf(step, site);
	return place.page === there.page && (!("key" in there) || ("key" in place && place.key === there.key));
}

/**
 * Whether the optional steps are shown: after the tour is complete, or once one of them is done. Before, they would
 * distract.
 */
export function hasChapter(steps: GuidedTourView["steps"]): boolean {
	return steps.every(({ done, optional }) => done || optional) || steps.some(({ done, optional }) => done && optional);
}

/**
 * Returns the next step on a page: its own, or the first open one after it, starting over at the end. Optional steps
 * are returned only on their own page.
 */
export function nextStep(steps: GuidedTourView["steps"], place: Place, site: SiteView): GuidedTourStep | null {
	const here = Math.max(
		0,
		steps.findIndex(({ step }) => isAt(place, step, site)),
	);
	const around = [...steps.slice(here), ...steps.slice(0, here)];
	return around.find(({ step, done, optional }) => !done && (!optional || isAt(place, step, site)))?.step ?? null;
}
