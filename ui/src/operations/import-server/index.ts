import { IconDatabaseImport } from "@tabler/icons-react";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";

export const importServer: OperationUi = {
	key: "import_server",
	icon: IconDatabaseImport,
	group: "backup",
	View: whenShown(async () => (await import("./form")).ImportServer),
	stale: (target) => [
		queryKeys.services(target),
		queryKeys.dataRoots(target),
		queryKeys.uploads(target),
		queryKeys.unfinishedUploads(target),
		queryKeys.changeSummary(target),
		queryKeys.deactivations(target.site),
		queryKeys.siteProof(target.site),
		queryKeys.sites,
	],
	actions: { upload: (target) => [queryKeys.uploads(target), queryKeys.unfinishedUploads(target)] },
	losesReport: true,
	parameterNames: { location: (t) => t("details.exportFile") },
	namesRecords: ["undoes", "deactivation", "inactiveInSafetyBackup"],
	Recovery: whenShown(async () => (await import("./undo-import")).Recovery),
	tourSteps: ["importServer"],
	file: "siteFile",
	faults: ["serviceWillNotStart", "absentFolder", "orphan"],
};
