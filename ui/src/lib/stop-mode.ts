import { type OperationKey, operations, type RunStep, type RunView } from "@/bridge";

/** Effect of Stop, which depends on the step. */
type StopKind =
	| "preparing"
	| "searching"
	| "waiting"
	| "securing"
	| "downloading"
	| "uploading"
	| "services"
	| "checkingServices"
	| "awaitingServer"
	| "afterExport"
	| "batch"
	| "check";

/** Whether the operation only reads: it changes nothing and has no history entry. */
export function onlyLooks(operation: OperationKey | undefined): boolean {
	return has(operation, "none");
}

/**
 * Whether the run is a check, which changes nothing and has no history entry. A check can belong to an operation that
 * does change something.
 */
export function isCheck({ step, operation }: Pick<RunView, "step" | "operation">): boolean {
	return onlyLooks(operation) || stopKind(step, operation) === "check";
}

/**
 * Returns the effect of Stop. `null` if the response has arrived and only the file dialog is open: there is nothing to
 * stop.
 */
export function stopKind(step: RunStep | null, operation: OperationKey | undefined): StopKind | null {
	// Several requests that only read: each can be canceled.
	if (onlyLooks(operation) && (step?.kind === "services" || step?.kind === "batch")) return "check";
	switch (step?.kind) {
		case "asking":
			return null;
		case "preparing":
		// A check has no effect, so Stop prevents the export or import after it.
		case "checking":
		case "checkingExport":
		case "takingInventory":
			return "preparing";
		case "uploading":
		case "batch":
		case "checkingServices":
		case "awaitingServer":
			return step.kind;
		// One request for each webhook; the current one is awaited.
		case "reactivating":
			return "batch";
		case "services":
			// After the last request is sent, Stop prevents nothing.
			return step.done + 1 < step.total ? "services" : "waiting";
		case "verifyingFile":
			return "check";
		case "verifyingExport":
		case "countingPortal":
			return "afterExport";
		case "securing":
		case "verifying":
			return "securing";
		case "downloading":
			// An operation that replaces a site downloads its safety backup, and is not sent without it.
			return has(operation, "replaces") ? "securing" : "downloading";
		default:
			return onlyLooks(operation) ? "searching" : "waiting";
	}
}

function has(operation: OperationKey | undefined, impact: (typeof operations)[number]["impact"]): boolean {
	return operations.some((one) => one.key === operation && one.impact === impact);
}
