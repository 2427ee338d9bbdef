import { useCallback } from "react";
import type { RunView } from "@/bridge";
import { useHistoryName } from "@/lib/history-text";
import { stopKind } from "@/lib/stop-mode";

/** What a run is called. What is uploaded is said by what it is for. */
export function useRunName(): (run: RunView) => string {
	const nameOf = useHistoryName();
	return useCallback((run) => nameOf(isUpload(run) ? run.operation : (run.act ?? run.operation)), [nameOf]);
}

/** How a run and its site are said. */
export function runText(run: RunView): "operationsPanel.upload" | "operationsPanel.run" {
	return isUpload(run) ? "operationsPanel.upload" : "operationsPanel.run";
}

function isUpload({ step, operation }: RunView): boolean {
	return stopKind(step, operation) === "uploading";
}
