import type { ServerForm, ServerId, SiteId, SiteView, Target } from "../bindings";
import { found } from "./problems";
import type { seed } from "./seed";

export type World = ReturnType<typeof seed>;

export const practiceSiteId = "practice";
export const practiceFolder = "/home/sam/.local/share/site-steward/practice";
export const practiceFingerprint =
	"0B:30:55:7A:9F:C4:E9:0E:33:58:7D:A2:C7:EC:11:36:5B:80:A5:CA:EF:14:39:5E:83:A8:CD:F2:17:3C:61:86";
export const practiceExports = `${practiceFolder}/exports`;

/** Whether a site is the practice site, possibly saved a second time. */
export function isPractice({ portal }: SiteView): boolean {
	return portal?.includes(":41873/") ?? false;
}

export function serverForm(name: string, address: string, role = ""): ServerForm {
	return { id: null, name, address, servicesUrl: "", adminUrl: "", serverType: { kind: "gis" }, role };
}

/** Returns the administration URLs of servers. The backend applies further rules. */
export function importAddresses(servers: SiteView["servers"]): SiteView["importAddresses"] {
	return Object.fromEntries(servers.map(({ id, address, adminUrl }) => [id ?? "", adminUrl || address]));
}

/** Returns the fields of a site with one server. */
export function withServer(
	address: string,
): Pick<SiteView, "server" | "servers" | "currentServer" | "importAddresses"> {
	const id = "server";
	const servers = [{ ...serverForm(new URL(address).host, address), id }];
	return { server: address, servers, currentServer: id, importAddresses: importAddresses(servers) };
}

export const neverUsed = {
	username: null,
	seen: null,
	readOnly: false,
	unlockedUntil: null,
};

/** Returns the texts that confirm operations on a site. The backend applies further rules. */
export function confirmByTyping({
	id,
	name,
	environment,
	servers,
}: Pick<SiteView, "id" | "name" | "environment" | "servers">) {
	const needs = (text: string) => (id === practiceSiteId ? "" : text);
	return {
		portalImport: needs(name),
		serverImports: Object.fromEntries(
			servers.map((server) => [server.id ?? "", needs(servers.length > 1 ? server.name : name)]),
		),
		deactivation: environment === "production" ? name : "",
	};
}

export function practiceSite(): SiteView {
	return {
		...neverUsed,
		confirmByTyping: { portalImport: "", serverImports: {}, deactivation: "" },
		id: practiceSiteId,
		name: "Practice",
		environment: "practice",
		color: "grape",
		portal: "https://127.0.0.1:41873/portal",
		portalAdminUrl: null,
		deploymentType: "enterprise",
		...withServer("https://127.0.0.1:41873/server"),
		connection: {
			caCertificate: `${practiceFolder}/ca.pem`,
			clientCertificate: "",
			trustedCertificates: [],
			route: { kind: "direct" },
		},
		clientId: "",
		organizationClientId: null,
	};
}

export function targetOf(where: SiteId | Target): Target {
	return typeof where === "string" ? { site: where, server: null } : where;
}

/** Returns the name of a server; `null` if the site has no other. */
export function serverNameIn({ servers }: SiteView, server: ServerId | null): string | null {
	if (server === null || servers.length < 2) return null;
	return servers.find(({ id }) => id === server)?.name ?? null;
}

export function siteIn(world: World, id: SiteId): SiteView {
	return found(world.sites, (one) => one.id === id, `site ${id}`);
}
