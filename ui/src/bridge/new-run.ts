import type { NewRun, RunId } from "./bindings";

/** Returns a new run, with the reason or ticket for its history entries. */
export function newRun(id: RunId = crypto.randomUUID(), reason = ""): NewRun {
	return { id, reason };
}
