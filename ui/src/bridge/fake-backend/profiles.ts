import type {
	AddressRole,
	Problem,
	Profile,
	ProfileAddress,
	ProfileFile,
	ProfileView,
	SiteForm,
	SiteView,
} from "../bindings";
import { wrong } from "./problems";
import type { World } from "./world";

export function profileOf(site: SiteView): Profile {
	return {
		name: site.name,
		environment: site.environment === "production" ? "production" : "test",
		color: site.color,
		deploymentType: site.deploymentType,
		portal: site.portal ?? "",
		portalAdminUrl: site.portalAdminUrl ?? "",
		servers: site.servers.map((server) => ({ ...server, id: null })),
		route: site.connection.route,
		hadAuthority: site.connection.caCertificate !== "",
		hadClientCertificate: site.connection.clientCertificate !== "",
		clientId: site.clientId,
		readOnly: site.readOnly,
		plans: [],
	};
}

/** Returns a profile as the form of a new site, without trusted certificates and files of this computer. */
export function formOfProfile({
	hadAuthority: _,
	hadClientCertificate: __,
	plans: ___,
	route,
	...profile
}: Profile): SiteForm {
	const connection = {
		caCertificate: "",
		clientCertificate: "",
		clientCertificatePassword: null,
		trustedCertificates: [],
		route,
		proxyPassword: null,
	};
	const servers = profile.servers.map((server) => ({ ...server, id: null }));
	return { ...profile, servers, id: null, reason: "", connection };
}

/** Returns all URLs of a profile. `differs` marks a host other than the visible one. */
export function addressesOf({ portal, portalAdminUrl, servers, route }: Profile): ProfileAddress[] {
	const host = (address: string) => URL.parse(address)?.hostname;
	const one = (shown: string, address: string, role: AddressRole): ProfileAddress[] =>
		address === "" ? [] : [{ address, role, differs: host(shown) !== host(address) }];
	return [
		...one(portal, portal, "portal"),
		...one(portal, portalAdminUrl, "portalAdminUrl"),
		...servers.flatMap((server) => [
			...one(server.address, server.address, "server"),
			...one(server.address, server.servicesUrl, "serverServicesUrl"),
			...one(server.address, server.adminUrl, "serverAdminUrl"),
		]),
		...(route.kind === "proxy" ? [{ address: route.address, role: "proxy" as const, differs: true }] : []),
	];
}

export function refuseUnconfirmed(profile: Profile, confirmed: readonly string[]): void {
	const differing = addressesOf(profile).filter(({ differs }) => differs);
	const addresses = differing.map(({ address }) => address).filter((address) => !confirmed.includes(address));
	if (addresses.length > 0) throw { kind: "unconfirmedAddress", site: "", addresses } satisfies Problem;
}

/** Returns the content of the selected profile file, compared with the saved sites. */
export function opened(world: World): ProfileFile {
	if (world.profileFile.kind !== "read") return world.profileFile;
	const profiles = world.profileFile.profiles.map(({ profile, problem: given }): ProfileView => {
		const there = world.sites.find((site) => site.portal !== null && site.portal === profile.portal);
		const taken = world.sites.some(({ name }) => name.toLowerCase() === profile.name.toLowerCase());
		const problem: Problem | null = taken ? wrong("name", "nameTaken") : given;
		return { profile, addresses: addressesOf(profile), problem, samePlace: there?.name ?? null };
	});
	return { ...world.profileFile, profiles };
}
