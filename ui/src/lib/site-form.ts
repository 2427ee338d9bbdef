import type { ServerForm, SiteForm, SiteView } from "@/bridge";

const emptyServer: ServerForm = {
	id: null,
	name: "",
	address: "",
	public: "",
	direct: "",
	flavour: { kind: "gis" },
	role: "",
};

/** The form of a saved site, or of a new one. Passwords that are kept stay as they are. */
export function formOf(site: SiteView | null): SiteForm {
	return {
		id: site?.id ?? null,
		name: site?.name ?? "",
		kind: site?.kind ?? "production",
		color: site?.color ?? "blue",
		flavour: site?.flavour ?? null,
		portal: site?.portal ?? "",
		portalDirect: site?.portalDirect ?? "",
		servers: site?.servers.length ? site.servers : [emptyServer],
		connection: {
			caCertificate: site?.connection.caCertificate ?? "",
			clientCertificate: site?.connection.clientCertificate ?? "",
			clientCertificatePassword: null,
			pins: site?.connection.pins ?? [],
			route: site?.connection.route ?? { kind: "system" },
			proxyPassword: null,
		},
		clientId: site?.clientId ?? "",
		readOnly: site?.readOnly ?? false,
	};
}
