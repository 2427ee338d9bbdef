import type { RecordId, SiteId } from "@/bridge";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

/** What an import of a portal would do, and the exports that can be imported. */
export function usePortalChangeSummary(site: SiteId) {
	return useRead(queryKeys.portalImport(site), (backend) => backend.previewPortalImport(site));
}

/** Compares a portal with an export; not while its path is `null`. */
export function usePortalExportComparison(site: SiteId, location: string | null) {
	return useRead(
		queryKeys.portalComparison(site, location),
		location === null ? null : (backend) => backend.compareWithPortalExport(site, location),
		// What an import is decided by is compared anew whenever the form is opened.
		{ staleTime: 0 },
	);
}

/** The report of an import of a portal, as the history keeps it; asks for nothing while there is none to ask for. */
export function usePortalImportReport(record: RecordId | null) {
	return useRead(
		queryKeys.portalReport(record ?? ""),
		record === null ? null : (backend) => backend.portalImportReport(record),
	);
}
