import type { Fault, Problem, SiteForm, SiteView } from "../bindings";
import type { World } from "./world";

function fault(field: string, fault: Fault): Problem {
	return { kind: "form", field, fault };
}

function address(text: string): string | null {
	return text.trim() === "" ? null : text.trim().replace(/\/+$/, "");
}

function isAddress(text: string): boolean {
	return /^https?:\/\/[^\s/]+(\/\S*)?$/.test(text);
}

/** The same checks, in the same order, as the program's. */
export function checkSite(world: World, form: SiteForm): Problem | null {
	const name = form.name.trim();
	if (name === "") return fault("name", "required");
	if (name.length > 60) return fault("name", "tooLong");
	if (world.sites.some((site) => site.id !== form.id && site.name.toLowerCase() === name.toLowerCase())) {
		return fault("name", "nameTaken");
	}
	const portal = address(form.portal);
	const servers = form.servers.map((server) => address(server.address));
	const wrong = servers.findIndex((server) => server !== null && !isAddress(server));
	if (!portal && !servers.some(Boolean)) return fault("portal", "required");
	if (portal && !isAddress(portal)) return fault("portal", "notAnAddress");
	if (wrong >= 0) return fault(`servers.${wrong}.address`, "notAnAddress");
	const authority = form.connection.caCertificate.trim();
	if (authority && !/\.(pem|crt|cer)$/i.test(authority)) {
		return fault("connection.caCertificate", "notACertificate");
	}
	const { route } = form.connection;
	if (route.kind === "proxy" && !isAddress(route.address)) return fault("connection.route.address", "notAnAddress");
	return null;
}

function isLocked(site: SiteView): boolean {
	const unlocked = site.unlockedUntil !== null && site.unlockedUntil > Date.now();
	return site.readOnly && !unlocked;
}

/** Whatever writes asks here. */
export function refuseLocked(site: SiteView): void {
	if (isLocked(site)) throw { kind: "readOnly", site: site.id } satisfies Problem;
}

export function isReason(reason: string): boolean {
	return reason.replace(/[^\p{L}\p{N}]/gu, "").length >= 3;
}

/** A site with a mark goes only with a reason: that of its unlock, or the one that is given. */
export function mayRemove(site: SiteView, reason: string): void {
	refuseLocked(site);
	if (site.kind === "production" && !site.readOnly && !isReason(reason)) throw fault("reason", "tooShort");
}

function places(site: { portal: string | null; servers: readonly { address: string }[] }): string[] {
	const all = [site.portal ?? "", ...site.servers.map((server) => server.address)];
	return all.flatMap((one) => address(one)?.toLowerCase() ?? []);
}

/** Neither mark is lost by changing a site, nor by a second one at its address. */
function keepMarks(world: World, form: SiteForm): void {
	const here = places(form);
	const isProduction = form.kind === "production";
	for (const other of world.sites) {
		const theirs = places(other);
		if (other.id === form.id) {
			const leaves = theirs.some((place) => !here.includes(place));
			if (other.readOnly && (leaves || !form.readOnly)) refuseLocked(other);
			else if (other.kind === "production" && (leaves || !isProduction)) {
				if (!isReason(form.reason)) throw fault("reason", "tooShort");
			}
		} else if (theirs.some((place) => here.includes(place))) {
			if (isLocked(other) && !form.readOnly) throw fault("readOnly", "readOnlyElsewhere");
			if (other.kind === "production" && !isProduction && !isReason(form.reason)) {
				throw fault("kind", "productionElsewhere");
			}
		}
	}
}

export function chooseServer(world: World, site: SiteView, id: string): SiteView {
	const server = site.servers.find((one) => one.id === id);
	if (!server) throw fault("server", "required");
	const importAddress = server.direct || server.address;
	const chosen = { ...site, server: server.address, importAddress, chosenServer: id };
	world.sites = world.sites.map((other) => (other.id === site.id ? chosen : other));
	return chosen;
}

function trimmed(route: SiteForm["connection"]["route"]): SiteForm["connection"]["route"] {
	if (route.kind !== "proxy") return route;
	return { ...route, exceptions: route.exceptions.map((host) => host.trim()).filter((host) => host !== "") };
}

export function saveSite(world: World, form: SiteForm): SiteView {
	const problem = checkSite(world, form);
	if (problem) throw problem;
	const before = world.sites.find((site) => site.id === form.id);
	keepMarks(world, form);
	const servers = form.servers
		.map((server) => ({ ...server, id: server.id ?? crypto.randomUUID(), address: address(server.address) ?? "" }))
		.filter((server) => server.address !== "");
	const chosen = servers.find((server) => server.id === before?.chosenServer) ?? servers[0];
	const site: SiteView = {
		id: before?.id ?? crypto.randomUUID(),
		name: form.name.trim(),
		kind: form.kind,
		color: form.color,
		portal: address(form.portal),
		flavour: form.flavour ?? (address(form.portal) ? "enterprise" : "standaloneServer"),
		portalDirect: address(form.portalDirect),
		server: chosen?.address ?? null,
		importAddress: chosen ? chosen.direct || chosen.address : null,
		chosenServer: chosen?.id ?? null,
		servers,
		connection: {
			caCertificate: form.connection.caCertificate.trim(),
			clientCertificate: form.connection.clientCertificate.trim(),
			pins: form.connection.pins,
			route: trimmed(form.connection.route),
		},
		clientId: form.clientId.trim(),
		username: before?.username ?? null,
		lastExport: before?.lastExport ?? null,
		portalExport: before?.portalExport ?? null,
		serverExport: before?.serverExport ?? null,
		seen: before?.seen ?? null,
		readOnly: form.readOnly,
		unlockedUntil: before?.readOnly === form.readOnly ? before.unlockedUntil : null,
	};
	world.sites = before ? world.sites.map((other) => (other.id === site.id ? site : other)) : [...world.sites, site];
	return site;
}
