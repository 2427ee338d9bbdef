import type { OperationForm, OperationKey, PreviewField, RequestPreview, SiteView } from "../bindings";

const field = (name: string, value: string | null): PreviewField => ({ name, value });

/** Where an operation is, below its portal or server; the identifiers of what it is about are not in it. */
export function pathOf(operation: OperationKey): string {
	return paths[operation];
}

const paths: Record<OperationKey, string> = {
	export_portal: "/portaladmin/exportSite",
	export_server: "/admin/exportSite",
	import_server: "/admin/importSite",
	deactivate_webhooks: "/admin/services/webhooks/deactivateAll",
	find_items: "/admin/data/findItems",
	update_participant: "/sharing/rest/portals/portal/collaborations/participants/updateInfo",
	refresh_invitation: "/sharing/rest/portals/portal/collaborations/invitations/refresh",
};

/** What the program would send, as the specification names it. */
export function preview(site: SiteView, asked: OperationForm): RequestPreview[] {
	const below = (root: string | null, path: string, fields: PreviewField[]): RequestPreview => ({
		method: "POST",
		url: `${(root ?? "").replace(/\/+$/, "")}${path}`,
		fields,
	});
	const collaborations = "/sharing/rest/portals/portal/collaborations";
	switch (asked.operation) {
		case "export_portal": {
			const { target } = asked.form;
			const store =
				target.kind === "bucket"
					? [field("backupObjectStore", target.bucket), field("backupObjectStoreRegion", target.region)]
					: target.kind === "blob"
						? [field("backupObjectStore", target.container), field("backupObjectStoreConnectionStr", null)]
						: [];
			return [below(site.portal, paths.export_portal, [field("location", target.location), ...store])];
		}
		case "export_server": {
			const { place } = asked.form;
			const location = place.kind === "serverFolder" ? place.location : "";
			return [below(site.server, paths.export_server, [field("location", location)])];
		}
		case "import_server":
			return [
				below(site.importAddress ?? site.server, paths.import_server, [field("location", asked.form.location.trim())]),
			];
		case "deactivate_webhooks":
			return asked.form.services.map((path) =>
				below(site.server, `/admin/services/${path}/webhooks/deactivateAll`, []),
			);
		case "find_items":
			return [
				below(
					site.server,
					paths.find_items,
					Object.entries(asked.form).map(([name, value]) => field(name, String(value ?? ""))),
				),
			];
		case "update_participant":
			return asked.form.map(({ collaborationId, participantId, ...contact }) =>
				below(
					site.portal,
					`${collaborations}/${collaborationId}/participants/${participantId}/updateInfo`,
					Object.entries(contact).map(([name, value]) => field(name, value.trim())),
				),
			);
		case "refresh_invitation":
			return asked.form.map(({ collaborationId, invitationId }) =>
				below(site.portal, `${collaborations}/${collaborationId}/invitations/${invitationId}/refresh`, []),
			);
	}
}
