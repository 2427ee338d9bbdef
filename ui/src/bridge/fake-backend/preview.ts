import { type OperationForm, operations, type RequestPreview, type SiteView } from "../bindings";
import { wire } from "./operations";

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

/** Returns the requests of a form, as the specification defines them. */
export function preview(
	{ portal, portalAdminUrl, server, currentServer, importAddresses }: SiteView,
	asked: OperationForm,
): RequestPreview[] {
	switch (asked.operation) {
		case "export_portal": {
			const { target } = asked.form;
			if (target.kind === "portal") return [request(portal, wire.export_portal.path, {})];
			const { location } = target;
			const store =
				target.kind === "bucket"
					? { backupObjectStore: target.bucket, backupObjectStoreRegion: target.region }
					: target.kind === "blob" && { backupObjectStore: target.container, backupObjectStoreConnectionStr: null };
			return [request(portal, wire.export_portal.path, { location, ...store })];
		}
		case "export_server": {
			const { place } = asked.form;
			return [request(server, wire.export_server.path, { location: "location" in place ? place.location : "" })];
		}
		case "import_server": {
			const { location, options } = asked.form;
			const to = importAddresses[currentServer ?? ""] ?? server;
			const send = (more: object) => request(to, wire.import_server.path, { location, ...more });
			const check = options?.checkFirst ? [send({ validate: true })] : [];
			return [...check, send(options?.restartWebServer ? { restartWebServer: true } : {})];
		}
		case "import_portal":
			return [request(portalAdminUrl ?? portal, wire.import_portal.path, { location: asked.form.location })];
		case "deactivate_webhooks":
			return asked.form.services.map((path) => request(server, `/admin/services/${path}/webhooks/deactivateAll`, {}));
		default: {
			const isOnServer = operations.some(({ key, component }) => key === asked.operation && component === "server");
			const root = isOnServer ? server : portal;
			const forms: readonly object[] = [asked.form].flat();
			return forms.map((form) => request(root, wire[asked.operation].path, form));
		}
	}
}
