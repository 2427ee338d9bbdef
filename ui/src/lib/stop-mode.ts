import { type OperationKey, operations, type RunStep, type RunView } from "@/bridge";

/** What Stop does to a run, which is not the same for all of them. */
type StopKind =
	| "preparing"
	| "searching"
	| "waiting"
	| "securing"
	| "downloading"
	| "uploading"
	| "services"
	| "checkingServices"
	| "afterExport"
	| "batch"
	| "check";

/** Whether the operation only looks. It changes nothing and leaves no record. */
export function onlyLooks(operation: OperationKey | undefined): boolean {
	return has(operation, "none");
}

/** Whether the run is a check, which changes nothing and leaves no record, also in the name of an operation that does. */
export function isCheck({ step, operation }: Pick<RunView, "step" | "operation">): boolean {
	return onlyLooks(operation) || stopKind(step, operation) === "check";
}

/** `null` once the response is there and only the file dialog is open: then there is nothing to stop. */
export function stopKind(step: RunStep | null, operation: OperationKey | undefined): StopKind | null {
	// Of several requests that only look, each may be left.
	if (onlyLooks(operation) && (step?.kind === "services" || step?.kind === "batch")) return "check";
	switch (step?.kind) {
		case "asking":
			return null;
		case "preparing":
		// A check has no effect: what is stopped is the export or import after it.
		case "checking":
		case "checkingExport":
		case "takingInventory":
			return "preparing";
		case "uploading":
		case "batch":
		case "checkingServices":
			return step.kind;
		// One request for each webhook: the current one is awaited.
		case "reactivating":
			return "batch";
		case "services":
			// After the last one there is nothing left that would not be sent.
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
			// What an operation that replaces a site downloads is the export before it, and it is not sent without.
			return has(operation, "replaces") ? "securing" : "downloading";
		default:
			return onlyLooks(operation) ? "searching" : "waiting";
	}
}

function has(operation: OperationKey | undefined, impact: (typeof operations)[number]["impact"]): boolean {
	return operations.some((one) => one.key === operation && one.impact === impact);
}
