import type { ServerForm, SiteForm, SiteView } from "@/bridge";

export const emptyServer: ServerForm = {
	id: null,
	name: "",
	address: "",
	servicesUrl: "",
	adminUrl: "",
	serverType: { kind: "gis" },
	role: "",
};

/** The form of a saved site, or of a new one. Passwords that are kept stay as they are. */
export function formOf(site: SiteView | null): SiteForm {
	return {
		id: site?.id ?? null,
		name: site?.name ?? "",
		environment: site?.environment ?? "production",
		color: site?.color ?? "blue",
		deploymentType: site?.deploymentType ?? null,
		portal: site?.portal ?? "",
		portalAdminUrl: site?.portalAdminUrl ?? "",
		servers: site?.servers.length ? site.servers : [emptyServer],
		connection: {
			caCertificate: site?.connection.caCertificate ?? "",
			clientCertificate: site?.connection.clientCertificate ?? "",
			clientCertificatePassword: null,
			trustedCertificates: site?.connection.trustedCertificates ?? [],
			route: site?.connection.route ?? { kind: "system" },
			proxyPassword: null,
		},
		clientId: site?.clientId ?? "",
		readOnly: site?.readOnly ?? false,
		reason: "",
	};
}

/** The form of a new site that begins as another one. Passwords stay with that one, and so does its name. */
export function copyOf(site: SiteView, name: string): SiteForm {
	const form = formOf(site);
	return { ...form, id: null, name, servers: form.servers.map((server) => ({ ...server, id: null })) };
}

/** A form that may be written down: without passwords. */
export function withoutPasswords(form: SiteForm): SiteForm {
	return {
		...form,
		connection: { ...form.connection, clientCertificatePassword: null, proxyPassword: null },
	};
}
