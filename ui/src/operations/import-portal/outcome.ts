import type { PortalImportReport } from "@/bridge";
import { isEqual } from "./comparison";

/** Whether the portal has something else than the export after an import. */
export function differs({ proof }: PortalImportReport): boolean {
	return proof?.comparison != null && !isEqual(proof.comparison.rows);
}

/** The outcome of an import or its undo, as in the history. */
export function outcomeOf(report: PortalImportReport): "warnings" | "succeeded" {
	return report.warned || differs(report) ? "warnings" : "succeeded";
}
