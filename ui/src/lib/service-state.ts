import type { NotRunning, ReportMessage } from "@/bridge";

/** Whether a message of an import report is about a service that is down now. */
export function didNotStart({ service }: ReportMessage): boolean {
	return service !== null && ["FAILED", "STOPPED"].includes(service.state.toUpperCase());
}

/** Whether a service could not be started, and is not merely stopped. */
export function isFailed({ state }: Pick<NotRunning, "state">): boolean {
	return state.toUpperCase() === "FAILED";
}
