import {
	IconArchive,
	IconDatabase,
	IconDatabaseExport,
	IconDatabaseImport,
	IconMailForward,
	IconUsers,
	IconWebhook,
} from "@tabler/icons-react";
import type { Key } from "@/bridge";
import type { OperationUi } from "@/lib/operation-ui";
import { DeactivateWebhooks } from "./deactivate-webhooks/form";
import { ExportPortal } from "./export-portal/form";
import { ExportServer } from "./export-server/form";
import { FindItems } from "./find-items/form";
import { ImportServer } from "./import-server/form";
import { RefreshInvitation } from "./refresh-invitation/form";
import { UpdateParticipant } from "./update-participant/form";

export { ImportReportViewer } from "./import-server/report";

/** The seven, in the order of the specification. A missing one is a type error. */
export const operationUis: Record<Key, OperationUi> = {
	export_portal: { key: "export_portal", icon: IconArchive, group: "backup", View: ExportPortal },
	export_server: { key: "export_server", icon: IconDatabaseExport, group: "backup", View: ExportServer },
	import_server: { key: "import_server", icon: IconDatabaseImport, group: "backup", View: ImportServer },
	deactivate_webhooks: {
		key: "deactivate_webhooks",
		icon: IconWebhook,
		group: "services",
		View: DeactivateWebhooks,
	},
	find_items: { key: "find_items", icon: IconDatabase, group: "data", View: FindItems },
	update_participant: { key: "update_participant", icon: IconUsers, group: "collaboration", View: UpdateParticipant },
	refresh_invitation: {
		key: "refresh_invitation",
		icon: IconMailForward,
		group: "collaboration",
		View: RefreshInvitation,
	},
};
