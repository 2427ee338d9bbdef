import type { SiteForm } from "@/bridge";
import { emptyServer, formOf } from "@/lib/site-form";
import { onTopOf } from "./edit-site-page";

const base: SiteForm = { ...formOf(null), id: "city", name: "City" };
const connected = (form: SiteForm, connection: Partial<SiteForm["connection"]>): SiteForm => ({
	...form,
	connection: { ...form.connection, ...connection },
});
const trusted = [{ origin: "https://a", fingerprint: "AB" }];
const server = { ...emptyServer, id: "one", name: "one" };

test("what was not typed is as it is now, and what was typed stays", () => {
	const typed = { ...connected(base, { caCertificate: "/ca.pem" }), color: "red" as const };
	const current = connected({ ...base, name: "Port", servers: [server] }, { trustedCertificates: trusted });
	const wanted = { ...connected(current, { caCertificate: "/ca.pem" }), color: "red" };
	expect(onTopOf({ base, typed }, current)).toEqual({ base: current, typed: wanted, clashes: false });
});

test.each([
	["a name", { ...base, name: "Harbor" }, { ...base, name: "Port" }],
	["the servers", { ...base, servers: [server] }, { ...base, servers: [{ ...server, name: "two" }] }],
	["the route", connected(base, { route: { kind: "direct" } }), connected(base, { caCertificate: "/ca.pem" }), false],
	["the CA", connected(base, { caCertificate: "/a.pem" }), connected(base, { caCertificate: "/b.pem" })],
	["the same name", { ...base, name: "Port" }, { ...base, name: "Port" }, false],
])("%s that was changed on both sides stays as it was typed, and is told of", (_, typed, current, clashes = true) => {
	const merged = onTopOf({ base, typed }, current);
	expect(merged.clashes).toBe(clashes);
	expect(merged.typed).toMatchObject(clashes ? typed : {});
	// A second merge reports the same clash until the user accepts the current values.
	expect(onTopOf(merged, current).clashes).toBe(clashes);
	expect(onTopOf({ base: merged.base, typed: current }, current).clashes).toBe(false);
});

test("the same change on both sides is none to tell of, in whatever order its properties are", () => {
	const route = { kind: "proxy" as const, address: "http://proxy:3128", user: "", exceptions: [] };
	const { kind, ...rest } = route;
	const merged = onTopOf({ base, typed: connected(base, { route }) }, connected(base, { route: { ...rest, kind } }));
	expect(merged.clashes).toBe(false);
});
