import type { OperationForm, OperationKey, RequestPreview, SiteView } from "../bindings";

const collaborations = "/sharing/rest/portals/portal/collaborations";

/** Where an operation is, below its portal or server; the identifiers of what it is about are not in it. */
export const paths: Record<OperationKey, string> = {
	export_portal: "/portaladmin/exportSite",
	export_server: "/admin/exportSite",
	import_server: "/admin/importSite",
	deactivate_webhooks: "/admin/services/webhooks/deactivateAll",
	find_items: "/admin/data/findItems",
	update_participant: `${collaborations}/participants/updateInfo`,
	refresh_invitation: `${collaborations}/invitations/refresh`,
};

function request(root: string | null, path: string, fields: Record<string, string | null>): RequestPreview {
	return {
		method: "POST",
		url: `${(root ?? "").replace(/\/+$/, "")}${path}`,
		fields: Object.entries(fields).map(([name, value]) => ({ name, value: value?.trim() ?? null })),
	};
}

/** What the program would send, as the specification names it. */
export function preview({ portal, server, importAddress }: SiteView, asked: OperationForm): RequestPreview[] {
	switch (asked.operation) {
		case "export_portal": {
			const { target } = asked.form;
			const { location } = target;
			const store =
				target.kind === "bucket"
					? { backupObjectStore: target.bucket, backupObjectStoreRegion: target.region }
					: target.kind === "blob" && { backupObjectStore: target.container, backupObjectStoreConnectionStr: null };
			return [request(portal, paths.export_portal, { location, ...store })];
		}
		case "export_server": {
			const { place } = asked.form;
			return [request(server, paths.export_server, { location: "location" in place ? place.location : "" })];
		}
		case "import_server":
			return [request(importAddress ?? server, paths.import_server, { location: asked.form.location })];
		case "deactivate_webhooks":
			return asked.form.services.map((path) => request(server, `/admin/services/${path}/webhooks/deactivateAll`, {}));
		case "find_items":
			return [request(server, paths.find_items, { ...asked.form, isManaged: String(asked.form.isManaged ?? "") })];
		case "update_participant":
			return asked.form.map(({ collaborationId, participantId, ...contact }) => {
				const path = `${collaborations}/${collaborationId}/participants/${participantId}/updateInfo`;
				return request(portal, path, contact);
			});
		case "refresh_invitation":
			return asked.form.map(({ collaborationId, invitationId }) =>
				request(portal, `${collaborations}/${collaborationId}/invitations/${invitationId}/refresh`, {}),
			);
	}
}
