import type { OperationUis } from "@/lib/operation-ui";
import { whenShown } from "@/lib/when-shown";
import { deactivateWebhooks } from "./deactivate-webhooks";
import { exportPortal } from "./export-portal";
import { exportServer } from "./export-server";
import { findItems } from "./find-items";
import { importPortal } from "./import-portal";
import { importServer } from "./import-server";
import { refreshInvitation } from "./refresh-invitation";
import { updateParticipant } from "./update-participant";

/** Also on the page of the history. */
export const ImportReportViewer = whenShown(async () => (await import("./import-server/report")).ImportReportViewer);

/** Also in the operations panel. */
export { showsUpload } from "./import-server/use-last-upload";

/** Every operation. A missing one is a type error; their order is that of `operations` from the bridge. */
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
