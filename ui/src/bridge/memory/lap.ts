import type { GuidedTourStep, GuidedTourView } from "../bindings";
import { practiceSiteId, type World } from "./world";

const steps: readonly GuidedTourStep[] = [
	"exportPortal",
	"exportServer",
	"addFault",
	"importServer",
	"findItem",
	"saveAuditPackage",
	"deactivateWebhooks",
	"updateParticipant",
	"refreshInvitation",
];

/** How far the guided lap is: by what was seen, and by what stands in the history since it was begun. */
export function lapOf(world: World): GuidedTourView {
	const { begun, folded, seen } = world.lap;
	const done = new Set<string>(seen);
	for (const entry of world.history) {
		const counts =
			entry.outcome === "warnings" || (entry.outcome === "succeeded" && entry.operation !== "import_server");
		if (begun === null || entry.site !== practiceSiteId || entry.startedAt < begun || !counts) continue;
		// Once its file is saved, which the history does not say.
		if (entry.operation === "refresh_invitation") continue;
		if (entry.operation === "import_server" && !seen.includes("addFault")) continue;
		done.add(entry.operation.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
	}
	return { begun, folded, steps: steps.map((step) => ({ step, done: begun !== null && done.has(step) })) };
}
