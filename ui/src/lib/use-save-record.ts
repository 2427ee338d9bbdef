import type { RecordId, ReportFormat } from "@/bridge";
import { useCommand } from "./use-command";

/** Saves what the history keeps, through the system's dialog: the report of a record, or its audit package. */
export function useSaveRecord(record: RecordId | null) {
	return useCommand(
		(backend, as: ReportFormat | "auditPackage") =>
			as === "auditPackage" ? backend.saveAuditPackage([record ?? ""]) : backend.saveReport(record ?? "", as),
		(stale, as) => stale(as === "auditPackage" ? "saveAuditPackage" : "saveReport"),
	);
}
