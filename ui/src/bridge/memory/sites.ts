import type { Fault, Problem, SiteForm, SiteView } from "../bindings";
import type { World } from "./world";

function fault(field: keyof SiteForm, fault: Fault): Problem {
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
	if (world.sites.some((site) => site.id !== form.id && site.name.toLowerCase() === name.toLowerCase())) {
		return fault("name", "nameTaken");
	}
	const portal = address(form.portal);
	const server = address(form.server);
	if (!portal && !server) return fault("portal", "required");
	if (portal && !isAddress(portal)) return fault("portal", "notAnAddress");
	if (server && !isAddress(server)) return fault("server", "notAnAddress");
	if (form.caCertificate.trim() && !/\.(pem|crt|cer)$/i.test(form.caCertificate.trim())) {
		return fault("caCertificate", "notACertificate");
	}
	return null;
}

/** Whatever writes asks here. */
export function refuseLocked(site: SiteView): void {
	const unlocked = site.unlockedUntil !== null && site.unlockedUntil > Date.now();
	if (site.readOnly && !unlocked) throw { kind: "readOnly", site: site.id } satisfies Problem;
}

export function saveSite(world: World, form: SiteForm): SiteView {
	const problem = checkSite(world, form);
	if (problem) throw problem;
	const before = world.sites.find((site) => site.id === form.id);
	if (before?.readOnly && !form.readOnly) refuseLocked(before);
	const site: SiteView = {
		id: before?.id ?? crypto.randomUUID(),
		name: form.name.trim(),
		kind: form.kind,
		color: form.color,
		portal: address(form.portal),
		server: address(form.server),
		caCertificate: form.caCertificate.trim() || null,
		username: before?.username ?? null,
		lastExport: before?.lastExport ?? null,
		readOnly: form.readOnly,
		unlockedUntil: before?.readOnly === form.readOnly ? before.unlockedUntil : null,
	};
	world.sites = before ? world.sites.map((other) => (other.id === site.id ? site : other)) : [...world.sites, site];
	return site;
}
