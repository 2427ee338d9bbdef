import type { Problem, Profile, ProfileFile, ProfileView, SiteView } from "../bindings";
import type { World } from "./world";

export function profileOf(site: SiteView): Profile {
	return {
		name: site.name,
		kind: site.kind === "production" ? "production" : "test",
		color: site.color,
		flavour: site.flavour,
		portal: site.portal ?? "",
		portalDirect: site.portalDirect ?? "",
		servers: site.servers.map((server) => ({ ...server, id: null })),
		route: site.connection.route,
		hadAuthority: site.connection.caCertificate !== "",
		hadClientCertificate: site.connection.clientCertificate !== "",
		clientId: site.clientId,
		readOnly: site.readOnly,
	};
}

/** What the chosen file holds, beside the sites that are there. */
export function opened(world: World): ProfileFile {
	if (world.profileFile.kind !== "read") return world.profileFile;
	const profiles = world.profileFile.profiles.map(({ profile, problem: given }): ProfileView => {
		const there = world.sites.find((site) => site.portal !== null && site.portal === profile.portal);
		const taken = world.sites.some(({ name }) => name.toLowerCase() === profile.name.toLowerCase());
		const problem: Problem | null = taken ? { kind: "form", field: "name", fault: "nameTaken" } : given;
		return { profile, problem, samePlace: there?.name ?? null };
	});
	return { ...world.profileFile, profiles };
}
