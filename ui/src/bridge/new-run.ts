import type { NewRun, RunId } from "./bindings";

/** A run that begins, with the reason or ticket for its entries in the history. */
export function newRun(id: RunId = crypto.randomUUID(), reason = ""): NewRun {
	return { id, reason };
}
