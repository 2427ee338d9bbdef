import type { RunStep } from "@/bridge";

/** What Stop does to a run, which is not the same for all of them. */
export type StopKind = "waiting" | "uploading" | "services" | "several";

export function stopKind(step: RunStep | null): StopKind {
	switch (step?.kind) {
		case "uploading":
		case "several":
			return step.kind;
		case "services":
			// After the last one there is nothing left that would not be sent.
			return step.done + 1 < step.total ? "services" : "waiting";
		default:
			return "waiting";
	}
}
