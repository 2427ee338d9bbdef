import type { Capability, OperationKey } from "../bindings";

const collaborations = "/sharing/rest/portals/portal/collaborations";

/**
 * Capability that the specification requires for each operation, and its path below the portal or server, without IDs.
 * The backend has more detailed rules.
 */
export const wire: Record<OperationKey, { needs: Capability; path: string }> = {
	export_portal: { needs: "defaultAdministrator", path: "/portaladmin/exportSite" },
	export_server: { needs: "administrator", path: "/admin/exportSite" },
	import_server: { needs: "administrator", path: "/admin/importSite" },
	deactivate_webhooks: { needs: "publisher", path: "/admin/services/webhooks/deactivateAll" },
	find_items: { needs: "publisher", path: "/admin/data/findItems" },
	update_participant: { needs: "administratorOfHost", path: `${collaborations}/participants/updateInfo` },
	import_portal: { needs: "defaultAdministrator", path: "/portaladmin/importSite" },
	refresh_invitation: { needs: "administratorOfHost", path: `${collaborations}/invitations/refresh` },
};
