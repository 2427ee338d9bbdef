import { type OperationForm, type OperationKey, operations, type RequestPreview, type SiteView } from "../bindings";

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

function request(root: string | null, path: string, fields: object): RequestPreview {
	return {
		method: "POST",
		url: `${(root ?? "").replace(/\/+$/, "")}${path}`,
		fields: Object.entries(fields).map(([name, value]) => ({
			name,
			value: value === null ? null : String(value).trim(),
		})),
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
		default: {
			const isOnServer = operations.some(({ key, component }) => key === asked.operation && component === "server");
			const root = isOnServer ? server : portal;
			const forms: readonly object[] = [asked.form].flat();
			return forms.map((form) => request(root, paths[asked.operation], form));
		}
	}
}
