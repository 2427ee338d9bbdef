import type { RecordId, SiteId } from "@/bridge";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

/** Effects of a portal import, and the exports that can be imported. */
export function usePortalChangeSummary(site: SiteId) {
	return useRead(queryKeys.portalImport(site), (backend) => backend.previewPortalImport(site));
}

/** Compares a portal with an export. Reads nothing if `location` is `null`. */
export function usePortalExportComparison(site: SiteId, location: string | null) {
	return useRead(
		queryKeys.portalComparison(site, location),
		location === null ? null : (backend) => backend.compareWithPortalExport(site, location),
		// The comparison decides about an import, so it is read anew each time the form opens.
		{ staleTime: 0 },
	);
}

/** Report of a portal import from the history. Reads nothing if `record` is `null`. */
export function usePortalImportReport(record: RecordId | null) {
	return useRead(
		queryKeys.portalReport(record ?? ""),
		record === null ? null : (backend) => backend.portalImportReport(record),
	);
}
