import type { Problem, Profile, SiteForm, SiteId, SiteView } from "../bindings";
import type { Doings } from "./answer";
import { savedFile } from "./dialogs";
import { find } from "./discovery";
import { note } from "./history";
import { wrong } from "./problems";
import { confirmByTyping, importAddresses, neverUsed, practiceSiteId, siteIn, type World } from "./world";

function address(text: string): string | null {
	return text.trim() || null;
}

/** Throws if the site is locked. Called before every change of a site. */
export function refuseLocked({ id, name, readOnly, unlockedUntil }: SiteView): void {
	const isUnlocked = unlockedUntil !== null && unlockedUntil > Date.now();
	if (readOnly && !isUnlocked) throw { kind: "readOnly", site: id, siteName: name } satisfies Problem;
}

/** Returns a profile as the form of a new site, without trusted certificates and files of this computer. */
function formOfProfile({
	hadAuthority: _,
	hadClientCertificate: __,
	plans: ___,
	route,
	...profile
}: Profile): SiteForm {
	const connection = {
		...{ caCertificate: "", clientCertificate: "", trustedCertificates: [], route },
		...{ clientCertificatePassword: null, proxyPassword: null },
	};
	return {
		...profile,
		servers: profile.servers.map((server) => ({ ...server, id: null })),
		id: null,
		reason: "",
		connection,
	};
}

/** Saves a site. What is wrong with a form, and what protects a site, is scripted by the test that needs it. */
function saveSite(world: World, form: SiteForm): SiteView {
	const before = world.sites.find((site) => site.id === form.id);
	const servers = form.servers
		.map((server) => ({ ...server, address: server.address.trim() }))
		.filter(({ address }) => address !== "")
		.map((server) => ({
			...server,
			id: server.id ?? crypto.randomUUID(),
			name: server.name.trim(),
		}));
	const chosen = servers.find((server) => server.id === before?.currentServer) ?? servers[0];
	const { color, readOnly } = form;
	const { clientCertificatePassword: _, proxyPassword: __, ...connection } = form.connection;
	// The built-in practice site keeps its environment.
	const environment = form.id === practiceSiteId ? "practice" : form.environment;
	const portal = address(form.portal);
	const id = before?.id ?? crypto.randomUUID();
	const name = form.name.trim();
	const site: SiteView = {
		...(before ?? neverUsed),
		id,
		name,
		confirmByTyping: confirmByTyping({ id, name, environment, servers }),
		environment,
		color,
		portal,
		deploymentType: form.deploymentType ?? (portal ? "enterprise" : "standaloneServer"),
		portalAdminUrl: address(form.portalAdminUrl),
		...current(chosen),
		servers,
		importAddresses: importAddresses(servers),
		connection,
		clientId: form.clientId.trim(),
		organizationClientId: null,
		readOnly,
		unlockedUntil: before?.readOnly === readOnly ? before.unlockedUntil : null,
	};
	if (!before) world.sites = [...world.sites, site];
	// A token belongs to the route and the certificates with which the user signed in.
	if (before && JSON.stringify(before.connection) !== JSON.stringify(site.connection)) world.sessions.delete(site.id);
	const isChanged = JSON.stringify(before) !== JSON.stringify(site);
	if (isChanged) note(world, site, before ? "change_site" : "add_site", { note: form.reason.trim() });
	return put(world, site);
}

function current(server: SiteView["servers"][number] | undefined) {
	if (!server) return { server: null, currentServer: null };
	const { id, address } = server;
	return { server: address, currentServer: id };
}

function put(world: World, site: SiteView): SiteView {
	world.sites = world.sites.map((other) => (other.id === site.id ? site : other));
	return site;
}

export function savedSites(world: World) {
	const siteOf = (id: SiteId) => siteIn(world, id);
	return {
		listSites: () => world.sites,
		saveSite: (form) => saveSite(world, form),
		removeSite: (id, reason) => {
			const site = siteOf(id);
			refuseLocked(site);
			note(world, site, "remove_site", { note: reason.trim() });
			world.sites = world.sites.filter((other) => other.id !== id);
			world.keptInvitations = world.keptInvitations.filter(({ site }) => site !== id);
			world.sessions.delete(id);
			world.itemValidations.delete(id);
		},
		orderSites: (order) => {
			const place = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
			world.sites = world.sites.toSorted((one, other) => place(one.id) - place(other.id));
			return world.sites;
		},
		chooseServer: (id, currentServer) => {
			const site = siteOf(id);
			const chosen = site.servers.find((server) => server.id === currentServer);
			if (!chosen) throw wrong("server", "required");
			return put(world, { ...site, ...current(chosen) });
		},
		trustCertificate: (id, pin) => {
			const site = siteOf(id);
			const others = site.connection.trustedCertificates.filter(({ origin }) => origin !== pin.origin);
			note(world, site, "trust_certificate");
			world.sessions.delete(id);
			return put(world, { ...site, connection: { ...site.connection, trustedCertificates: [...others, pin] } });
		},
		confirmAddress: siteOf,
		unlockSite: (id, reason) => {
			const site = siteOf(id);
			note(world, site, "unlock", {
				note: reason.trim(),
				reason: reason.trim(),
				parameters: [{ name: "reason", value: reason.trim() }],
			});
			return Object.assign(site, { unlockedUntil: Date.now() + 15 * 60_000 });
		},
		lockSite: (id) => {
			const site = siteOf(id);
			if (site.unlockedUntil !== null) note(world, site, "lock", { parameters: [] });
			return Object.assign(site, { unlockedUntil: null });
		},
		findSite: (_site, pasted) => find(pasted),
		saveProfiles: () => savedFile(world, "site-profiles.json", 2_140),
		openProfiles: () => world.profileFile,
		addProfile: (profile, name) => ({ site: saveSite(world, { ...formOfProfile(profile), name }), plans: 0 }),
	} satisfies Partial<Doings>;
}
