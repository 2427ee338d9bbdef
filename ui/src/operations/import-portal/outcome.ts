import type { PortalImportReport } from "@/bridge";
import { verdictOf } from "./comparison";

/** Whether the portal has something else than the export after an import, or what it has is not known. */
export function differs({ proof }: PortalImportReport): boolean {
	return proof?.comparison != null && verdictOf(proof.comparison.rows) !== "equal";
}

/** The outcome of an import or its undo, as in the history. */
export function outcomeOf(report: PortalImportReport): "warnings" | "succeeded" {
	return report.warned || differs(report) ? "warnings" : "succeeded";
}
