import { IconPackageImport } from "@tabler/icons-react";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";

export const importPortal: OperationUi = {
	key: "import_portal",
	icon: IconPackageImport,
	group: "backup",
	View: whenShown(async () => (await import("./form")).ImportPortal),
	stale: ({ site }) => [
		// An import can end all sessions of the portal.
		queryKeys.sessions(site),
		queryKeys.participants(site),
		queryKeys.invitations(site),
		queryKeys.portalImport(site),
		queryKeys.siteProof(site),
		queryKeys.sites,
	],
	parameterNames: { location: (t) => t("details.exportFile"), safetyBackup: (t) => t("details.safetyBackup") },
	namesRecords: ["undoes"],
	file: "portalFile",
	faults: ["indexLags", "orphan"],
	tourSteps: ["importPortal", "checkPortal", "checkWholeSite", "undoPortalImport"],
	Recovery: whenShown(async () => (await import("./undo")).Recovery),
};
