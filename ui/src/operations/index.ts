import {
	IconArchive,
	IconDatabase,
	IconDatabaseExport,
	IconDatabaseImport,
	IconMailForward,
	IconUsers,
	IconWebhook,
} from "@tabler/icons-react";
import type { OperationKey } from "@/bridge";
import type { OperationUi } from "@/lib/operation-ui";
import { whenShown } from "@/lib/when-shown";

/** Also on the page of the history. */
export const ImportReportViewer = whenShown(async () => (await import("./import-server/report")).ImportReportViewer);

/** Also in the operations panel. */
export { showsUpload } from "./import-server/use-last-upload";

/** The seven, in the order of the specification. A missing one is a type error. */
export const operationUis: Record<OperationKey, OperationUi> = {
	export_portal: {
		key: "export_portal",
		icon: IconArchive,
		group: "backup",
		View: whenShown(async () => (await import("./export-portal/form")).ExportPortal),
	},
	export_server: {
		key: "export_server",
		icon: IconDatabaseExport,
		group: "backup",
		View: whenShown(async () => (await import("./export-server/form")).ExportServer),
	},
	import_server: {
		key: "import_server",
		icon: IconDatabaseImport,
		group: "backup",
		View: whenShown(async () => (await import("./import-server/form")).ImportServer),
	},
	deactivate_webhooks: {
		key: "deactivate_webhooks",
		icon: IconWebhook,
		group: "services",
		View: whenShown(async () => (await import("./deactivate-webhooks/form")).DeactivateWebhooks),
	},
	find_items: {
		key: "find_items",
		icon: IconDatabase,
		group: "data",
		View: whenShown(async () => (await import("./find-items/form")).FindItems),
	},
	update_participant: {
		key: "update_participant",
		icon: IconUsers,
		group: "collaboration",
		View: whenShown(async () => (await import("./update-participant/form")).UpdateParticipant),
	},
	refresh_invitation: {
		key: "refresh_invitation",
		icon: IconMailForward,
		group: "collaboration",
		View: whenShown(async () => (await import("./refresh-invitation/form")).RefreshInvitation),
	},
};
