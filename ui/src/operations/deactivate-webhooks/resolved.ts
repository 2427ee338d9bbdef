import type { DeactivationView, Millis } from "@/bridge";

/** What became of the services that a run silenced at a moment: those that are dealt with by now, by their path. */
export function resolved(
	services: readonly string[],
	ledger: readonly DeactivationView[],
	deactivatedAt: Millis,
): Map<string, DeactivationView> {
	const found = new Map<string, DeactivationView>();
	for (const service of services) {
		const entries = ledger.filter((entry) => entry.service === service);
		// It is one entry until it is dealt with; an open one may also be of a later run.
		if (entries.some(({ restoredAt }) => restoredAt === null)) continue;
		const since = entries.filter(({ restoredAt }) => restoredAt !== null && restoredAt >= deactivatedAt);
		const newest = since.sort((a, b) => (b.restoredAt ?? 0) - (a.restoredAt ?? 0))[0];
		if (newest) found.set(service, newest);
	}
	return found;
}
