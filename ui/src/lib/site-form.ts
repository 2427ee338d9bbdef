import { useMutation } from "@tanstack/react-query";
import { type ServerForm, type SiteForm, type SiteView, useBackend } from "@/bridge";
import { useNavigation } from "./navigation";
import { keptBriefly, useStale } from "./use-command";

export const emptyServer: ServerForm = {
	id: null,
	name: "",
	address: "",
	servicesUrl: "",
	adminUrl: "",
	serverType: { kind: "gis" },
	role: "",
};

/** Returns the form of a saved site, or of a new one. Passwords are `null`, which keeps the stored ones. */
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
		isSame: false,
		reason: "",
	};
}

/** Returns the form of a new site based on another one, without its name, IDs, and passwords. */
export function copyOf(site: SiteView, name: string): SiteForm {
	const form = formOf(site);
	return { ...form, id: null, name, servers: form.servers.map((server) => ({ ...server, id: null })) };
}

/** Returns a form without passwords, which can be stored. */
export function withoutPasswords(form: SiteForm): SiteForm {
	return {
		...form,
		connection: { ...form.connection, clientCertificatePassword: null, proxyPassword: null },
	};
}

interface Saved {
	/** Called before the sites are read again, also if the page was left. */
	onStored?: (site: SiteView) => void;
	/** Called afterwards, unless the page was left meanwhile: a save can wait long for the keyring. */
	onSaved?: (site: SiteView) => void;
}

/** Adds or changes a site. */
export function useSaveSite({ onStored, onSaved }: Saved = {}) {
	const { place, isAt } = useNavigation();
	const backend = useBackend();
	const stale = useStale();
	return useMutation({
		mutationFn: (form: SiteForm) => backend.saveSite(form),
		gcTime: keptBriefly,
		onMutate: () => place,
		onSuccess: async (saved, _form, from) => {
			onStored?.(saved);
			await stale("saveSite", saved.id);
			if (isAt(from)) onSaved?.(saved);
		},
	});
}
