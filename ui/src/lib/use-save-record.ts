import type { RecordId, ReportFormat } from "@/bridge";
import { useCommand } from "./use-command";

/** Saves the report or the audit package of an entry in the system's file dialog. */
export function useSaveRecord(record: RecordId | null) {
	return useCommand(
		(backend, as: ReportFormat | "auditPackage") =>
			as === "auditPackage" ? backend.saveAuditPackage([record ?? ""]) : backend.saveReport(record ?? "", as),
		(stale, as) => stale(as === "auditPackage" ? "saveAuditPackage" : "saveReport"),
	);
}
