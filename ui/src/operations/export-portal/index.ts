import { IconArchive } from "@tabler/icons-react";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";

export const exportPortal: OperationUi = {
	key: "export_portal",
	icon: IconArchive,
	group: "backup",
	View: whenShown(async () => (await import("./form")).ExportPortal),
	stale: () => [queryKeys.sites],
	actions: { verify_export: () => [] },
	Recovery: whenShown(async () => (await import("@/components/recorded-export")).RecordedExport),
	tourSteps: ["exportPortal"],
	faults: ["unwritableFolder"],
};
