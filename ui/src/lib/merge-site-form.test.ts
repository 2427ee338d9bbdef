import type { ServerForm, SiteForm } from "@/bridge";
import { mergeSiteForm } from "./merge-site-form";
import { emptyServer, formOf } from "./site-form";

const server = (id: string, change: Partial<ServerForm> = {}): ServerForm => ({
	...emptyServer,
	id,
	name: id,
	...change,
});
const base: SiteForm = { ...formOf(null), id: "city", name: "City", servers: [server("one"), server("two")] };
const pin = (origin: string, fingerprint = "AB") => ({ origin, fingerprint });
const withPins = (form: SiteForm, ...trustedCertificates: ReturnType<typeof pin>[]): SiteForm => ({
	...form,
	connection: { ...form.connection, trustedCertificates },
});

test("what was not typed is as it is now, and what was typed stays", () => {
	const typed = { ...base, color: "red" as const };
	const current = { ...base, name: "Port", portal: "https://port.example.org/portal" };
	const merged = mergeSiteForm({ base, typed }, current);
	expect(merged).toEqual({ base: current, typed: { ...current, color: "red" }, clashes: [] });
});

test("a field that was changed on both sides keeps what was typed and is named, until what is there now is taken", () => {
	const typed = { ...base, name: "Harbor" };
	const current = { ...base, name: "Port" };
	const merged = mergeSiteForm({ base, typed }, current);
	expect(merged.typed.name).toBe("Harbor");
	expect(merged.clashes).toEqual([{ field: "name", current: "Port" }]);
	// Merged once more, it is still named.
	expect(mergeSiteForm(merged, current).clashes).toEqual(merged.clashes);
	expect(mergeSiteForm({ base: merged.base, typed: current }, current).clashes).toEqual([]);
});

test("the same change on both sides is none to ask about, in whatever order its properties are", () => {
	const route = { kind: "proxy" as const, address: "http://proxy:3128", user: "", exceptions: [] };
	const { kind, ...rest } = route;
	const withRoute = (to: typeof route): SiteForm => ({ ...base, connection: { ...base.connection, route: to } });
	const merged = mergeSiteForm({ base, typed: withRoute(route) }, withRoute({ ...rest, kind }));
	expect(merged.clashes).toEqual([]);
});

test("a certificate that was trusted elsewhere stays, also where an older one of its origin was removed here", () => {
	const before = withPins(base, pin("https://a", "OLD"), pin("https://b"));
	const typed = withPins(base, pin("https://b"));
	const current = withPins(base, pin("https://b"), pin("https://a", "NEW"), pin("https://c"));
	const merged = mergeSiteForm({ base: before, typed }, current);
	expect(merged.typed.connection.trustedCertificates).toEqual(current.connection.trustedCertificates);
	expect(merged.clashes).toEqual([]);
});

test("a certificate that was removed here is removed from those that are trusted now", () => {
	const before = withPins(base, pin("https://a"));
	const merged = mergeSiteForm({ base: before, typed: base }, withPins(base, pin("https://a"), pin("https://c")));
	expect(merged.typed.connection.trustedCertificates).toEqual([pin("https://c")]);
});

test("servers that were added on either side are there, and those that were removed on either side are not", () => {
	const added = { ...emptyServer, address: "https://new.example.org/server" };
	const typed = { ...base, servers: [server("two"), added] };
	const current = { ...base, servers: [server("one"), server("three")] };
	const merged = mergeSiteForm({ base, typed }, current);
	expect(merged.typed.servers).toEqual([added, server("three")]);
	expect(merged.clashes).toEqual([]);
});

test("the fields of a server are merged one by one", () => {
	const typed = { ...base, servers: [server("one"), server("two", { name: "typed", adminUrl: "https://typed" })] };
	const current = { ...base, servers: [server("two", { name: "now", servicesUrl: "https://now" })] };
	const merged = mergeSiteForm({ base, typed }, current);
	expect(merged.typed.servers).toEqual([
		server("two", { name: "typed", adminUrl: "https://typed", servicesUrl: "https://now" }),
	]);
	expect(merged.clashes).toEqual([{ field: "servers.0.name", current: "now" }]);
});

test("a server that was removed on one side and changed on the other is named", () => {
	const typed = { ...base, servers: [server("one", { name: "typed" })] };
	const current = { ...base, servers: [server("two", { name: "now" })] };
	const merged = mergeSiteForm({ base, typed }, current);
	expect(merged.typed.servers).toEqual(typed.servers);
	expect(merged.clashes).toEqual([{ field: "servers", current: current.servers }]);
	expect(mergeSiteForm(merged, current).clashes).toEqual(merged.clashes);
	expect(mergeSiteForm({ base: merged.base, typed: current }, current).clashes).toEqual([]);
});
