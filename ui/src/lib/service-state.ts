import type { ReportMessage } from "@/bridge";

/** Whether a message of an import report is about a service that is down now. */
export function didNotStart({ service }: ReportMessage): boolean {
	return service !== null && ["FAILED", "STOPPED"].includes(service.state.toUpperCase());
}
