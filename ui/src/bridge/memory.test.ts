import { vi } from "vitest";
import { pastOf } from "@/test/past";
import { signedInSite } from "@/test/render";
import type { Problem, SiteForm } from "./bindings";
import { memoryBackend } from "./memory";
import { withServer } from "./memory/world";

const connection: SiteForm["connection"] = {
	caCertificate: "",
	clientCertificate: "",
	clientCertificatePassword: null,
	pins: [],
	route: { kind: "system" },
	proxyPassword: null,
};
const form: SiteForm = {
	id: null,
	name: "City GIS",
	kind: "production",
	color: "red",
	portal: "https://gis.example.org/portal/",
	flavour: null,
	portalDirect: "",
	servers: [],
	connection,
	clientId: "",
	readOnly: false,
	reason: "",
};
const folder = { target: { kind: "folder", location: "/srv/backup" }, checkOnly: false } as const;

test("a saved site is listed, without the slash at the end", async () => {
	const backend = memoryBackend();
	const site = await backend.saveSite(form);
	expect(site.portal).toBe("https://gis.example.org/portal");
	expect(await backend.listSites()).toEqual([site]);
	await backend.removeSite(site.id, "Switched off");
	expect(await backend.listSites()).toEqual([]);
});

test.each<[Partial<SiteForm>, string, string]>([
	[{ name: " " }, "name", "required"],
	[{ name: "Old" }, "name", "nameTaken"],
	[{ portal: "" }, "portal", "required"],
	[{ portal: "gis.example.org" }, "portal", "notAnAddress"],
	[{ servers: withServer("ftp://gis.example.org").servers }, "servers.0.address", "notAnAddress"],
	[{ connection: { ...connection, caCertificate: "/etc/hosts" } }, "connection.caCertificate", "notACertificate"],
])("a site form with %o is a fault of %s", async (change, field, fault) => {
	const backend = memoryBackend();
	await backend.saveSite({ ...form, name: "Old" });
	await expect(backend.saveSite({ ...form, ...change })).rejects.toEqual({ kind: "form", field, fault });
});

test("nothing is listed and nothing runs without a sign-in", async () => {
	const backend = memoryBackend({ world: { sites: signedInSite().world.sites ?? [] } });
	const signIn: Problem = { kind: "signIn", site: "city", server: null };
	await expect(backend.listServices("city")).rejects.toEqual(signIn);
	await expect(backend.exportPortal("city", "r", folder)).rejects.toEqual(signIn);
});

test("a role limits what can be done", async () => {
	const backend = memoryBackend();
	await backend.startPractice();
	const session = await backend.signInToPractice("practice-publisher");
	const open = session.operations.filter(({ obstacles }) => obstacles.length === 0).map(({ operation }) => operation);
	expect(open).toEqual(["deactivate_webhooks", "find_items"]);
});

test("a run is announced, ends, and stands in the history with its outcome", async () => {
	const backend = memoryBackend({ world: signedInSite().world });
	const heard: number[] = [];
	backend.onRuns((runs) => heard.push(runs.length));
	const ended = await backend.exportPortal("city", "r", folder);
	expect(ended).toMatchObject({ kind: "done", report: { status: "written" } });
	expect(heard.at(0)).toBe(1);
	expect(heard.at(-1)).toBe(0);
	expect(await pastOf(backend, "city")).toMatchObject([{ operation: "export_portal", outcome: "succeeded" }]);
	expect((await backend.listSites())[0]?.lastExport).not.toBeNull();
});

test("a second operation on a busy site is told which one runs; a stopped one is unknown", async () => {
	const backend = memoryBackend({ world: signedInSite().world, endless: ["exportPortal"] });
	const first = backend.exportPortal("city", "r1", folder);
	await vi.waitFor(async () => expect(await backend.listRuns()).toHaveLength(1));
	await expect(backend.exportPortal("city", "r2", folder)).rejects.toMatchObject({
		kind: "busy",
		operation: "export_portal",
	});
	await backend.stopRun("r1");
	expect(await first).toMatchObject({ kind: "unknown", stopped: true });
	expect(await pastOf(backend)).toMatchObject([{ outcome: "unknown" }]);
});

test("each operation changes what it is about", async () => {
	const backend = memoryBackend({ world: signedInSite().world });
	const services = ["Hosted/Hydrants.FeatureServer", "Gone.GPServer"];
	await backend.deactivateWebhooks("city", "r1", { services, why: "", confirmation: "City GIS" });
	const hydrants = (await backend.listServices("city")).find(({ name }) => name === "Hydrants");
	expect(hydrants?.webhooks.every(({ active }) => !active)).toBe(true);

	const contact = { contactFirstname: "Ada", contactLastname: "Berg", contactEmailAddress: "ada@example.org" };
	await backend.updateParticipant("city", "r2", {
		collaborationId: "c-regional",
		participantId: "county",
		...contact,
	});
	expect((await backend.listParticipants("city"))[0]).toMatchObject(contact);

	const refreshed = await backend.refreshInvitation("city", "r3", {
		collaborationId: "c-regional",
		invitationId: "inv-museum",
	});
	const invitation = (await backend.listInvitations("city")).find(({ invitationId }) => invitationId === "inv-museum");
	expect(refreshed).toMatchObject({ report: { expiration: invitation?.expiration, saving: { kind: "saved" } } });

	const imported = await backend.importServer("city", "r4", {
		location: "/x.agssite",
		confirmation: "City GIS",
		parachute: null,
	});
	expect(imported).toMatchObject({ kind: "done", report: { counts: { failedServices: 2 } } });
	const record = imported.kind === "done" ? (imported.record ?? "") : "";
	expect(await backend.importReport(record)).toMatchObject({ status: "success" });

	const filters = { parentPath: "/fileShares", ancestorPath: "", types: "", id: "", isManaged: null };
	const query = { column: "path", descending: false, filter: "", type: null } as const;
	const found = await backend.findItems("city", "r5", filters, { query, most: 1 });
	const counted = { total: 2, types: [{ type: "folder", count: 2 }] };
	expect(found).toMatchObject({ report: { search: counted, first: { matching: 2, rows: [{ type: "folder" }] } } });
});

test("an injected problem rejects, and a failed run says so in the history", async () => {
	const refused: Problem = { kind: "refused", code: 500, message: "Unable to write.", details: [] };
	const backend = memoryBackend({ world: signedInSite().world, fail: { exportPortal: refused, about: refused } });
	await expect(backend.about()).rejects.toEqual(refused);
	await expect(backend.exportPortal("city", "r", folder)).rejects.toEqual(refused);
	expect(await pastOf(backend)).toMatchObject([{ outcome: "failed", note: "Unable to write." }]);
});
