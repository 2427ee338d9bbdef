import { useCallback } from "react";
import type { RunStep, RunView } from "@/bridge";
import { useNameOfRun } from "@/lib/history-text";
import { stopKind } from "@/lib/stop-mode";

/** Fields of a run that its name and its Stop dialog need. `step` is `null` until the backend reports one. */
export type NamedRun = Pick<RunView, "id" | "operation" | "act" | "isUndo" | "siteName" | "serverName"> & {
	step: RunStep | null;
};

/** Returns a function that names a run. An upload has the name of the operation it is for. */
export function useRunName(): (run: NamedRun) => string {
	const nameOf = useNameOfRun();
	return useCallback((run) => nameOf(isUpload(run) ? { ...run, act: null } : run), [nameOf]);
}

/** Returns the message that combines a run and its site. */
export function runText(run: NamedRun): "operationsPanel.upload" | "operationsPanel.run" {
	return isUpload(run) ? "operationsPanel.upload" : "operationsPanel.run";
}

function isUpload({ step, operation }: NamedRun): boolean {
	return stopKind(step, operation) === "uploading";
}
