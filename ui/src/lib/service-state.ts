import type { NotRunning, ReportMessage, ServiceCheck } from "@/bridge";

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
