import { type GuidedTourStep, type GuidedTourView, operations, type SiteId } from "@/bridge";
import type { Place } from "@/lib/navigation";
import { operationUis } from "@/operations";

/** Where a step of the tour is done. */
export function placeOf(step: GuidedTourStep, site: SiteId): Place {
	if (step === "addFault") return { page: "practice", site };
	const there = operations.find(({ key }) => operationUis[key].tourStep === step);
	return there ? { page: "operation", site, key: there.key } : { page: "history" };
}

/** Whether this page is where the step is done. */
export function isAt(place: Place, step: GuidedTourStep, site: SiteId): boolean {
	const there = placeOf(step, site);
	return place.page === there.page && (!("key" in there) || ("key" in place && place.key === there.key));
}

/** The step that comes next on this page: its own, or the first open one after it, and so around. */
export function nextStep(steps: GuidedTourView["steps"], place: Place, site: SiteId): GuidedTourStep | null {
	const here = Math.max(
		0,
		steps.findIndex(({ step }) => isAt(place, step, site)),
	);
	const around = [...steps.slice(here), ...steps.slice(0, here)];
	return around.find(({ done }) => !done)?.step ?? null;
}
