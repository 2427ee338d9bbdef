import { useCallback } from "react";
import type { RunStep, RunView } from "@/bridge";
import { useNameOfRun } from "@/lib/history-text";
import { stopKind } from "@/lib/stop-mode";

/** A run, as far as its name and its Stop need it; without a step before the program said one. */
export type NamedRun = Pick<RunView, "id" | "operation" | "act" | "isUndo" | "siteName" | "serverName"> & {
	step: RunStep | null;
};

/** What a run is called. What is uploaded is said by what it is for. */
export function useRunName(): (run: NamedRun) => string {
	const nameOf = useNameOfRun();
	return useCallback((run) => nameOf(isUpload(run) ? { ...run, act: null } : run), [nameOf]);
}

/** How a run and its site are said. */
export function runText(run: NamedRun): "operationsPanel.upload" | "operationsPanel.run" {
	return isUpload(run) ? "operationsPanel.upload" : "operationsPanel.run";
}

function isUpload({ step, operation }: NamedRun): boolean {
	return stopKind(step, operation) === "uploading";
}
