import type { PortalImportReport } from "@/bridge";
import { verdictOf } from "./comparison";

/** Whether the portal differs from the export after an import, or could not be counted. */
export function differs({ proof }: PortalImportReport): boolean {
	return proof?.comparison != null && verdictOf(proof.comparison.rows) !== "equal";
}

/** Returns the outcome of an import or undo, as the history records it. */
export function outcomeOf(report: PortalImportReport): "warnings" | "succeeded" {
	return report.warned || differs(report) ? "warnings" : "succeeded";
}
