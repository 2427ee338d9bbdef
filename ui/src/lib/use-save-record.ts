import { useMutation } from "@tanstack/react-query";
import { type RecordId, type ReportFormat, useBackend } from "@/bridge";
import { useStale } from "./stale";

/** Saves what the history keeps, through the system's dialog: the report of a record, or its audit package. */
export function useSaveRecord(record: RecordId | null) {
	const backend = useBackend();
	const stale = useStale();
	return useMutation({
		mutationFn: (as: ReportFormat | "auditPackage") =>
			as === "auditPackage" ? backend.saveAuditPackage([record ?? ""]) : backend.saveReport(record ?? "", as),
		onSuccess: (_, as) => stale(as === "auditPackage" ? "saveAuditPackage" : "saveReport"),
	});
}
