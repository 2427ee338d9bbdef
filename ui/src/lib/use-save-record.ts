import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RecordId, type ReportFormat, useBackend } from "@/bridge";
import { queryKeys } from "./queries";

/** Saves what the history keeps, through the system's dialog: the report of a record, or all of it as evidence. */
export function useSaveRecord(record: RecordId | null) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (as: ReportFormat | "auditPackage") =>
			as === "auditPackage" ? backend.saveAuditPackage(record ?? "") : backend.saveReport(record ?? "", as),
		// Evidence is a step of the guided tour.
		onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.guidedTour }),
	});
}
