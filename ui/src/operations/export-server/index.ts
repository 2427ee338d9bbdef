import { IconDatabaseExport } from "@tabler/icons-react";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";

export const exportServer: OperationUi = {
	key: "export_server",
	icon: IconDatabaseExport,
	group: "backup",
	View: whenShown(async () => (await import("./form")).ExportServer),
	stale: (target) => [queryKeys.uploads(target), queryKeys.sites],
	actions: { verify_export: ({ site }) => [queryKeys.plans(site), queryKeys.restores, queryKeys.overviews] },
	Recovery: whenShown(async () => (await import("@/components/recorded-export")).RecordedExport),
	tourSteps: ["exportServer"],
	namesRecords: ["inactiveInSafetyBackup"],
	storesUpload: true,
	faults: ["unwritableFolder"],
};
