import type { DeactivationView, NotRunning, ReactivatedWebhooks, ReportMessage, ServiceCheck } from "@/bridge";

const plain = (state: string) => state.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();

/** Whether a report message is about a service that does not run, on the site or on one of its machines. */
export function didNotStart({ service }: ReportMessage): boolean {
	if (service === null) return false;
	const onMachines = service.machines.flatMap(({ state, reports }) => [
		state,
		...reports.map((report) => report.state),
	]);
	return [service.state, ...onMachines]
		.map(plain)
		.some((state) => state.includes("FAIL") || state === "STOPPED" || state === "NOTSTARTED");
}

/**
 * Whether a report message is about a service with a state other than started, on the site or on one of its machines.
 */
export function isDoubtful({ service }: ReportMessage): boolean {
	const states = service === null ? [] : [service.state, ...service.machines.map(({ state }) => state)];
	return states.map(plain).some((state) => state !== "" && state !== "STARTED");
}

/** Whether a service failed, and is not only stopped. */
export function isFailed({ state }: Pick<NotRunning, "state">): boolean {
	return state.toUpperCase() === "FAILED";
}

/** Whether a check did not list every service, or not the state of each. */
export function isPartialCheck({ unknown = 0, unlisted = [] }: ServiceCheck): boolean {
	return unknown > 0 || unlisted.length > 0;
}

/** Returns the tone of a check: a service that does not run is a failure on every page. */
export function toneOfCheck(check: ServiceCheck): "failed" | "warnings" | "succeeded" {
	if (check.notRunning.length > 0) return "failed";
	return isPartialCheck(check) ? "warnings" : "succeeded";
}

/** Returns the names of an entry's webhooks that are not reactivated yet; none if they are unknown. */
export function namesLeft({ left }: DeactivationView): readonly string[] {
	return left?.map(({ name }) => name) ?? [];
}

/** Returns how many webhooks of the entries are not reactivated yet. A webhook in two entries counts once. */
export function countLeft(entries: readonly DeactivationView[]): number {
	return new Set(entries.flatMap(({ service, left }) => left?.map(({ id }) => JSON.stringify([service, id])) ?? []))
		.size;
}

/** Whether all webhooks of an entry are active, so that nothing is left to reactivate. */
export function isActiveAgain({ left, activeAgain }: DeactivationView): boolean {
	return left?.length === 0 && activeAgain.length > 0;
}

/** Whether all webhooks of an import that still exist are active again; `null` if this is uncertain. */
export function areActiveAgain({ failed, unknown, notRead }: ReactivatedWebhooks): boolean | null {
	if (failed.length > 0 || notRead !== null) return false;
	return unknown.length === 0 || null;
}
