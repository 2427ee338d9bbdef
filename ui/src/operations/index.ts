import type { OperationUis } from "@/lib/operation-ui";
import { deactivateWebhooks } from "./deactivate-webhooks";
import { exportPortal } from "./export-portal";
import { exportServer } from "./export-server";
import { findItems } from "./find-items";
import { importPortal } from "./import-portal";
import { importServer } from "./import-server";
import { refreshInvitation } from "./refresh-invitation";
import { updateParticipant } from "./update-participant";

/** All operations. A missing one is a type error; the order is that of `operations` in the bridge. */
export const operationUis: OperationUis = {
	export_portal: exportPortal,
	export_server: exportServer,
	import_server: importServer,
	deactivate_webhooks: deactivateWebhooks,
	find_items: findItems,
	update_participant: updateParticipant,
	refresh_invitation: refreshInvitation,
	import_portal: importPortal,
};
