import type { Problem, SiteForm, SiteId, SiteView } from "../bindings";
import type { Doings } from "./answer";
import { savedFile } from "./dialogs";
import { find } from "./discovery";
import { note } from "./history";
import { wrong } from "./problems";
import { addressesOf, formOfProfile, opened, profileOf, refuseUnconfirmed } from "./profiles";
import { confirmByTyping, importAddresses, neverUsed, practiceSiteId, siteIn, type World } from "./world";

function address(text: string): string | null {
	return text.trim() || null;
}

function isAddress(text: string): boolean {
	return /^https?:\/\/[^\s/]+(\/\S*)?$/.test(text);
}

/** Returns the fault of a URL that is not accepted. */
function addressFault(text: string): "notAnAddress" | "notHttps" {
	return URL.parse(text)?.host ? "notHttps" : "notAnAddress";
}

/** Whether a file was neither selected in the dialog nor is in use. */
export function isUnknownFile(world: World, file: string, known: string[]): boolean {
	return file.trim() !== "" && !world.chosenFiles.has(file.trim()) && !known.includes(file.trim());
}

/** Throws if the form names a certificate file that was neither selected in the dialog nor is in use. */
export function checkFiles(world: World, site: SiteId | null, connection: Partial<SiteForm["connection"]>): void {
	const { caCertificate = "", clientCertificate = "" } = connection;
	const authorities = world.sites.map((one) => one.connection.caCertificate);
	const own = world.sites.filter((one) => one.id === site).map((one) => one.connection.clientCertificate);
	const inUse = [...authorities, world.preferences.preferences.connection.caCertificate];
	if (isUnknownFile(world, caCertificate, inUse)) throw wrong("connection.caCertificate", "notChosen");
	if (isUnknownFile(world, clientCertificate, own)) throw wrong("connection.clientCertificate", "notChosen");
}

/** Throws the first fault of a site form. Contains only the checks that tests of the window need. */
function checkSite(world: World, form: SiteForm): void {
	const name = form.name.trim();
	if (name === "") throw wrong("name", "required");
	if (name.length > 60) throw wrong("name", "tooLong");
	if (world.sites.some((site) => site.id !== form.id && site.name === name)) throw wrong("name", "nameTaken");
	const portal = address(form.portal);
	const servers = form.servers.map((server) => address(server.address));
	if (!portal && !servers.some(Boolean)) throw wrong("portal", "required");
	if (portal && !isAddress(portal)) throw wrong("portal", addressFault(portal));
	for (const [place, server] of servers.entries()) {
		if (server && !isAddress(server)) throw wrong(`servers.${place}.address`, addressFault(server));
	}
	const names = form.servers.map((server) => server.name.trim().toLowerCase());
	for (const [place, name] of names.entries()) {
		if (!servers[place]) continue;
		if (name === "") throw wrong(`servers.${place}.name`, "required");
		if (names.some((other, before) => before < place && servers[before] && other === name)) {
			throw wrong(`servers.${place}.name`, "nameTaken");
		}
	}
	for (const [place, { adminUrl }] of form.servers.entries()) {
		if (adminUrl !== "" && !isAddress(adminUrl)) throw wrong(`servers.${place}.adminUrl`, addressFault(adminUrl));
	}
	const { caCertificate, route } = form.connection;
	if (!/^$|\.(pem|crt|cer)$/i.test(caCertificate.trim())) throw wrong("connection.caCertificate", "notACertificate");
	if (route.kind === "proxy" && !isAddress(route.address)) throw wrong("connection.route.address", "notAnAddress");
}

function isLocked(site: SiteView): boolean {
	const unlocked = site.unlockedUntil !== null && site.unlockedUntil > Date.now();
	return site.readOnly && !unlocked;
}

/** Throws if the site is locked. Called before every change of a site. */
export function refuseLocked(site: SiteView): void {
	if (isLocked(site)) throw { kind: "readOnly", site: site.id, siteName: site.name } satisfies Problem;
}

function isReason(reason: string): boolean {
	return reason.replace(/[^\p{L}\p{N}]/gu, "").length >= 3;
}

/** Throws if the site must not be removed: it is locked, or it is a production site and no reason is given. */
function mayRemove(site: SiteView, reason: string): void {
	refuseLocked(site);
	if (site.environment === "production" && !site.readOnly && !isReason(reason)) throw wrong("reason", "tooShort");
}

/** Returns the addresses of a site in a form that can be compared. */
function places(site: { portal: string | null; servers: readonly { address: string }[] }): string[] {
	const all = [site.portal ?? "", ...site.servers.map((server) => server.address)];
	return all.flatMap((one) => address(one)?.replace(/\/+$/, "").toLowerCase() ?? []);
}

/** Throws if a change would remove the protection of a site, also by adding a second site with its address. */
function keepProtection(world: World, form: SiteForm): void {
	const here = places(form);
	const isProduction = form.environment === "production";
	for (const other of world.sites) {
		const theirs = places(other);
		if (other.id === form.id) {
			const leaves = theirs.some((place) => !here.includes(place));
			if (other.readOnly && (leaves || !form.readOnly)) refuseLocked(other);
			else if (other.environment === "production" && (leaves || !isProduction)) {
				if (!isReason(form.reason)) throw wrong("reason", "tooShort");
			}
		} else if (theirs.some((place) => here.includes(place))) {
			if (isLocked(other) && !form.readOnly) throw wrong("readOnly", "readOnlyElsewhere");
		}
	}
}

function trimmed({ caCertificate, clientCertificate, trustedCertificates, route }: SiteForm["connection"]) {
	const hosts = route.kind === "proxy" ? route.exceptions.map((host) => host.trim()).filter(Boolean) : [];
	return {
		caCertificate: caCertificate.trim(),
		clientCertificate: clientCertificate.trim(),
		trustedCertificates,
		route: route.kind === "proxy" ? { ...route, exceptions: hosts } : route,
	};
}

function saveSite(world: World, form: SiteForm): SiteView {
	checkFiles(world, form.id, form.connection);
	checkSite(world, form);
	keepProtection(world, form);
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
		connection: trimmed(form.connection),
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
	copyProtection(world, site);
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

/** Copies the protection of a site to other sites with its addresses. */
function copyProtection(world: World, { readOnly, environment, ...site }: SiteView): void {
	for (const other of world.sites) {
		if (other.id === site.id || !places(other).some((place) => places(site).includes(place))) continue;
		other.readOnly ||= readOnly;
		if (environment === "production" && other.id !== practiceSiteId) {
			Object.assign(other, { environment, confirmByTyping: confirmByTyping({ ...other, environment }) });
		}
	}
}

export function savedSites(world: World) {
	const siteOf = (id: SiteId) => siteIn(world, id);
	return {
		listSites: () => world.sites,
		saveSite: (form) => saveSite(world, form),
		removeSite: (id, reason) => {
			const site = siteOf(id);
			mayRemove(site, reason);
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
			if (!places(site).some((place) => URL.parse(place)?.origin === pin.origin)) throw wrong("origin", "notAnAddress");
			const others = site.connection.trustedCertificates.filter(({ origin }) => origin !== pin.origin);
			note(world, site, "trust_certificate");
			world.sessions.delete(id);
			return put(world, { ...site, connection: { ...site.connection, trustedCertificates: [...others, pin] } });
		},
		confirmAddress: (id, address) => {
			const site = siteOf(id);
			const { portal, portalAdminUrl, servers } = site;
			const all = [portal, portalAdminUrl, ...servers.flatMap((one) => [one.address, one.adminUrl, one.servicesUrl])];
			if (!all.includes(address)) throw wrong("address", "notAnAddress");
			return site;
		},
		unlockSite: (id, reason) => {
			if (!isReason(reason)) throw wrong("reason", "tooShort");
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
		findSite: (site, pasted, connection) => {
			checkFiles(world, site, connection);
			return find(pasted);
		},
		saveProfiles: (ids) => {
			const profiles = ids.map((id) => {
				const profile = profileOf(siteOf(id));
				return { profile, addresses: addressesOf(profile), problem: null, samePlace: null };
			});
			world.profileFile = { kind: "read", path: "/home/sam/Documents/site-profiles.json", profiles, damaged: [] };
			return savedFile(world, "site-profiles.json", 2_140);
		},
		openProfiles: () => opened(world),
		addProfile: (profile, name, confirmed) => {
			const form = { ...formOfProfile(profile), name };
			checkSite(world, form);
			refuseUnconfirmed(profile, confirmed);
			return { site: saveSite(world, form), plans: 0 };
		},
	} satisfies Partial<Doings>;
}
