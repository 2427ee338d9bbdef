import type { Capability, OperationKey } from "../bindings";

const collaborations = "/sharing/rest/portals/portal/collaborations";

/**
 * Of each operation, the capability that the specification asks for, and where it is, below its portal or server. The
 * program has its own, finer rules; identifiers of what it is about are not in the path.
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
