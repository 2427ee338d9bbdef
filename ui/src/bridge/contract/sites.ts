import { serverOf } from "@/lib/target";
import type { Profile, SiteForm } from "../bindings";
import { city, form, past, server, siteOf } from "./given";
import { has, ok, refuses, type Situation } from "./situation";

const wrong = (field: string, fault: string) => ({ kind: "form", field, fault });
const first = "https://gis.example.org/server";
const second = "https://imagery.example.org/image";

const profile: Profile = {
	name: "City GIS",
	environment: "production",
	color: "red",
	deploymentType: "enterprise",
	portal: "https://gis.example.org/portal",
	portalAdminUrl: "https://portal.intern.example.org:7443/arcgis",
	servers: server(first, "theirs").map((one) => ({
		...one,
		servicesUrl: "https://gis.example.org:8443/server",
		adminUrl: "https://server.intern.example.org:6443/arcgis",
	})),
	route: { kind: "direct" },
	hadAuthority: true,
	hadClientCertificate: false,
	clientId: "",
	readOnly: true,
	plans: [],
};
const elsewhere = [profile.portalAdminUrl, "https://server.intern.example.org:6443/arcgis"];

export const sites: Situation[] = [
	{
		name: "a saved site is listed, without spaces around its name and its address",
		play: async (backend) => {
			const site = await backend.saveSite(form({ name: " City GIS ", portal: " https://gis.example.org/portal" }));
			has(site, { name: "City GIS", portal: "https://gis.example.org/portal", server: null, username: null });
			has(site, { confirmByTyping: { portalImport: "City GIS", deactivation: "City GIS" } });
			has(site, {
				deploymentType: "enterprise",
				seen: null,
				readOnly: false,
				unlockedUntil: null,
			});
			has(await backend.listSites(), [site]);
		},
	},
	{
		name: "a faulty form of a site names the field",
		isAppOnly: true,
		play: async (backend) => {
			await backend.saveSite(form({ name: "Taken", portal: "https://old.example.org/portal" }));
			const faults: [Partial<SiteForm>, string, string][] = [
				[{ name: " " }, "name", "required"],
				[{ name: "n".repeat(61) }, "name", "tooLong"],
				[{ name: "Taken" }, "name", "nameTaken"],
				[{ portal: "" }, "portal", "required"],
				[{ portal: "gis.example.org" }, "portal", "notAnAddress"],
				[
					{ connection: { ...form().connection, caCertificate: "/etc/hosts" } },
					"connection.caCertificate",
					"notChosen",
				],
				[{ servers: server("ftp://gis.example.org") }, "servers.0.address", "notHttps"],
				[{ servers: server(first).map((one) => ({ ...one, name: " " })) }, "servers.0.name", "required"],
				[{ servers: [...server(first), ...server("https://GIS.example.org/image")] }, "servers.1.name", "nameTaken"],
			];
			for (const [change, field, fault] of faults) {
				await refuses(backend.saveSite(form(change)), wrong(field, fault));
			}
			has((await backend.listSites()).length, 1);
		},
	},
	{
		name: "a session ends when the route to its site changes, or a certificate is trusted there",
		play: async (backend) => {
			const site = await city(backend);
			const signIn = async () => {
				const { users } = await backend.startPractice();
				const username = users.find(({ role }) => role === "administrator")?.username ?? "";
				const password = await backend.practicePassword(username);
				await backend.signIn(site.id, null, { username, password, keepPassword: false });
				ok((await backend.session(serverOf(site))) !== null, "nobody is signed in");
			};
			const changed = {
				...form({ id: site.id, environment: site.environment, portal: site.portal ?? "", servers: site.servers }),
				reason: "A proxy less",
			};
			const { caCertificate } = site.connection;
			await backend.saveSite({ ...changed, connection: { ...changed.connection, caCertificate } });
			has(await backend.session(serverOf(site)), null);
			await signIn();
			const origin = new URL(site.portal ?? "").origin;
			await backend.trustCertificate(site.id, { origin, fingerprint: "AB".repeat(32) });
			has(await backend.session(serverOf(site)), null);
		},
	},
	{
		name: "a changed site keeps its identifier, and each change is recorded",
		play: async (backend) => {
			const { id } = await backend.saveSite(form());
			has(await backend.saveSite(form({ id, name: "Town GIS" })), { id, name: "Town GIS" });
			has(await past(backend, id), [
				{ operation: "change_site", outcome: "succeeded", siteName: "Town GIS" },
				{ operation: "add_site", outcome: "succeeded", siteName: "City GIS" },
			]);
		},
	},
	{
		name: "sites are listed in the stored order, and those that it does not name come last",
		play: async (backend) => {
			const names = ["a", "b", "c"];
			const ids: string[] = [];
			for (const name of names) {
				ids.push((await backend.saveSite(form({ name, portal: `https://${name}.example.org/portal` }))).id);
			}
			const listed = await backend.orderSites([ids[2] ?? "", ids[1] ?? ""]);
			has(
				listed.map(({ name }) => name),
				["c", "b", "a"],
			);
			has(await backend.listSites(), listed);
		},
	},
	{
		name: "a production site is removed with a reason only, and its history stays",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await backend.saveSite(form());
			await refuses(backend.removeSite(id, " - "), wrong("reason", "tooShort"));
			await backend.removeSite(id, "Switched off");
			has(await backend.listSites(), []);
			has((await past(backend, id))[0], { operation: "remove_site", outcome: "succeeded", note: "Switched off" });
		},
	},
	{
		name: "a read-only site is unlocked with a reason, for a quarter of an hour, and locked again",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await backend.saveSite(form({ readOnly: true }));
			await refuses(backend.removeSite(id, "Switched off"), { kind: "readOnly", site: id });
			await refuses(backend.saveSite(form({ id, readOnly: false })), { kind: "readOnly", site: id });
			await refuses(backend.unlockSite(id, "no"), wrong("reason", "tooShort"));
			const { unlockedUntil } = await backend.unlockSite(id, " New contact ");
			const left = (unlockedUntil ?? 0) - Date.now();
			ok(left > 14 * 60_000 && left <= 15 * 60_000, `it stays unlocked for ${left} ms`);
			has((await past(backend, id))[0], { operation: "unlock", note: "New contact", outcome: "succeeded" });
			has(await backend.lockSite(id), { readOnly: true, unlockedUntil: null });
			await refuses(backend.removeSite(id, "Switched off"), { kind: "readOnly", site: id });
		},
	},
	{
		name: "a second site at the address of a protected one does not get around the protection",
		isAppOnly: true,
		play: async (backend) => {
			await backend.saveSite(form({ readOnly: true }));
			const other = form({ name: "Other", environment: "test" });
			await refuses(backend.saveSite(other), wrong("readOnly", "readOnlyElsewhere"));
		},
	},
	{
		name: "the protection of a saved site is copied to the other sites at its address",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await backend.saveSite(form({ name: "Other", environment: "test" }));
			await backend.saveSite(form({ readOnly: true }));
			has(await siteOf(backend, id), { environment: "production", readOnly: true });
		},
	},
	{
		name: "a production site stays one, unless a reason is given",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await backend.saveSite(form());
			await refuses(backend.saveSite(form({ id, environment: "test" })), wrong("reason", "tooShort"));
			await refuses(
				backend.saveSite(form({ id, portal: "https://b.example.org/portal" })),
				wrong("reason", "tooShort"),
			);
			const reason = "It is the test site now";
			has(await backend.saveSite(form({ id, environment: "test", reason })), {
				environment: "test",
				confirmByTyping: { portalImport: "City GIS", deactivation: "" },
			});
		},
	},
	{
		name: "the current server is one of the site's servers",
		play: async (backend) => {
			const servers = [...server(first, "one"), ...server(second, "two")];
			const { id, ...site } = await backend.saveSite(form({ servers }));
			has(site, { server: first, currentServer: "one", servers: [{ name: "gis.example.org" }, {}] });
			await refuses(backend.chooseServer(id, "three"), wrong("server", "required"));
			has(await backend.chooseServer(id, "two"), { server: second, currentServer: "two" });
			has(await backend.saveSite(form({ id, servers })), { server: second, currentServer: "two" });
		},
	},
	{
		name: "a certificate is trusted for an origin of the site only, in place of an earlier one",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await backend.saveSite(form());
			const pin = (origin: string, fingerprint: string) => ({ origin, fingerprint });
			const elsewhere = backend.trustCertificate(id, pin("https://elsewhere.example.org", "AA".repeat(32)));
			await refuses(elsewhere, wrong("origin", "notAnAddress"));
			await backend.trustCertificate(id, pin("https://gis.example.org", "AA".repeat(32)));
			const { connection } = await backend.trustCertificate(id, pin("https://gis.example.org", "BB".repeat(32)));
			has(connection.trustedCertificates, [pin("https://gis.example.org", "BB".repeat(32))]);
			has((await past(backend, id))[0], { operation: "trust_certificate", outcome: "succeeded" });
		},
	},
	{
		name: "an address is confirmed that is one of the site's",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await backend.saveSite(form());
			await refuses(backend.confirmAddress(id, first), wrong("address", "notAnAddress"));
			has(await backend.confirmAddress(id, "https://gis.example.org/portal"), { id });
		},
	},
	{
		name: "a profile is added under a name, once every address at another host is confirmed",
		isAppOnly: true,
		play: async (backend) => {
			const unconfirmed = (addresses: string[]) => ({ kind: "unconfirmedAddress", addresses });
			await refuses(backend.addProfile(profile, "Town GIS", []), unconfirmed(elsewhere));
			await refuses(backend.addProfile(profile, "Town GIS", elsewhere.slice(0, 1)), unconfirmed(elsewhere.slice(1)));
			has(await backend.listSites(), []);
			const { site, plans } = await backend.addProfile(profile, " Town GIS ", elsewhere);
			ok(plans === 0, "no backup plan was in the profile");
			has(site, { name: "Town GIS", environment: "production", readOnly: true, username: null, server: first });
			has(site.connection, { caCertificate: "", trustedCertificates: [], route: { kind: "direct" } });
			ok(site.currentServer !== "theirs", "the server keeps the identifier that it has elsewhere");
			has(await backend.listSites(), [site]);
			has(await past(backend, site.id), [{ operation: "add_site", outcome: "succeeded", siteName: "Town GIS" }]);
		},
	},
	{
		name: "a profile that cannot be saved names the field before it asks for a confirmation",
		isAppOnly: true,
		play: async (backend) => {
			await backend.saveSite(form({ name: "Taken", portal: "https://old.example.org/portal" }));
			await refuses(backend.addProfile(profile, "Taken", []), wrong("name", "nameTaken"));
			await refuses(backend.addProfile(profile, " ", []), wrong("name", "required"));
			const nowhere = { ...profile, portal: "gis.example.org" };
			await refuses(backend.addProfile(nowhere, "Town GIS", []), wrong("portal", "notAnAddress"));
			has((await backend.listSites()).length, 1);
		},
	},
	{
		name: "a profile does not get around the protection of a site at its address",
		isAppOnly: true,
		play: async (backend) => {
			await backend.saveSite(form({ readOnly: true }));
			const open: Profile = { ...profile, environment: "test", readOnly: false };
			await refuses(backend.addProfile(open, "Town GIS", elsewhere), wrong("readOnly", "readOnlyElsewhere"));
		},
	},
	{
		name: "what is asked of a site that is not saved is unexpected",
		play: async (backend) => {
			await refuses(backend.lockSite("nowhere"), { kind: "unexpected" });
			await refuses(backend.session({ site: "nowhere", server: null }), { kind: "unexpected" });
			await refuses(backend.openLink("nowhere", "https://gis.example.org"), { kind: "unexpected" });
		},
	},
];
