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
import type { ImportReportViewerProps, OperationUi } from "@/lib/operation-ui";

const View = () => null;

export function ImportReportViewer(_: ImportReportViewerProps) {
	return null;
}

export const operationUis: Record<Key, OperationUi> = {
	export_portal: { key: "export_portal", icon: IconArchive, group: "backup", View },
	export_server: { key: "export_server", icon: IconDatabaseExport, group: "backup", View },
	import_server: { key: "import_server", icon: IconDatabaseImport, group: "backup", View },
	deactivate_webhooks: { key: "deactivate_webhooks", icon: IconWebhook, group: "services", View },
	find_items: { key: "find_items", icon: IconDatabase, group: "data", View },
	update_participant: { key: "update_participant", icon: IconUsers, group: "collaboration", View },
	refresh_invitation: { key: "refresh_invitation", icon: IconMailForward, group: "collaboration", View },
};
