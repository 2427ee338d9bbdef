import { serverOf } from "@/lib/target";
import { operations } from "../bindings";
import { city, form, past, practice, run, server, serverAt, userOf } from "./given";
import { fails, has, ok, refuses, type Situation } from "./situation";

export const signIn: Situation[] = [
	{
		name: "a wrong password is refused in the words of the site, and nobody is signed in",
		play: async (backend) => {
			const { id, username } = await city(backend);
			await backend.signOut(id);
			const form = { username: username ?? "", password: "wrong", keepPassword: false };
			await refuses(backend.signIn(id, null, form), { kind: "rejected", code: 400 });
			has(await backend.session(await serverAt(backend, id)), null);
			has((await past(backend, id))[0], { operation: "sign_out" });
		},
	},
	{
		name: "a sign-in without a user name or a password names the field",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await city(backend);
			const form = { username: " ", password: "", keepPassword: false };
			await refuses(backend.signIn(id, null, form), { kind: "form", field: "username", fault: "required" });
			const nameless = backend.signIn(id, null, { ...form, username: "sam" });
			await refuses(nameless, { kind: "form", field: "password", fault: "required" });
		},
	},
	{
		name: "a session names the user and every operation, and ends with the sign-out",
		play: async (backend) => {
			const { id, username, seen } = await city(backend);
			const session = await backend.session(await serverAt(backend, id));
			has(session, { site: id, username, role: "org_admin", serverVersion: seen?.serverVersion });
			ok((session?.expiresAt ?? 0) > Date.now(), "the session has no expiry ahead");
			has(session?.operations.length, operations.length);
			has(
				session?.operations.filter(({ reasons }) => reasons.length > 0),
				[],
			);
			await backend.signOut(id);
			has(await backend.session(await serverAt(backend, id)), null);
			const entries = await past(backend, id);
			has(entries.slice(0, 2), [
				{ operation: "sign_out", outcome: "succeeded", username },
				{ operation: "sign_in", outcome: "succeeded", username },
			]);
		},
	},
	{
		name: "whatever needs a session asks for the sign-in when there is none",
		play: async (backend) => {
			const { id } = await city(backend);
			await backend.signOut(id);
			const signIn = { kind: "signIn", site: id };
			await refuses(backend.listServices(await serverAt(backend, id)), signIn);
			await refuses(backend.listDataRoots(await serverAt(backend, id)), signIn);
			await refuses(backend.listUploads(await serverAt(backend, id)), signIn);
			await refuses(backend.listParticipants(id), signIn);
			await refuses(backend.listInvitations(id), signIn);
			await refuses(backend.findServers(id), signIn);
			await refuses(backend.checkServices(await serverAt(backend, id)), signIn);
			await refuses(
				backend.compareWithExport(await serverAt(backend, id), { kind: "path", path: "/srv/backup/city.agssite" }),
				signIn,
			);
			await refuses(backend.storedFile(await serverAt(backend, id), "i1"), signIn);
			await refuses(backend.checkTokenExpiry(await serverAt(backend, id), "export_portal"), signIn);
			const form = { target: { kind: "folder" as const, location: "/srv/backup" }, checkOnly: false };
			await fails(backend.exportPortal(id, run(), form), signIn);
		},
	},
	{
		name: "a publisher has two of the operations",
		play: async (backend) => {
			const view = await practice(backend, "publisher");
			const session = await backend.session(serverOf(view.site));
			has(session, { username: userOf(view, "publisher"), role: "org_publisher" });
			const open = session?.operations.filter(({ reasons }) => reasons.length === 0).map(({ operation }) => operation);
			has(open, ["deactivate_webhooks", "find_items"]);
			const exporting = session?.operations.find(({ operation }) => operation === "export_server");
			has(exporting, { reasons: [{ kind: "role", needs: "administrator" }] });
		},
	},
	{
		name: "an operation that the role does not allow is refused by the site",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend, "publisher");
			const place = { kind: "serverFolder" as const, location: exportFolder };
			await fails(backend.exportServer(serverOf(site), run(), { place }), { kind: "rejected" }, "failed");
		},
	},
	{
		name: "a text that is no token is refused before it is sent",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await city(backend);
			const refused = async (pasted: string, url: string, field: string, fault: string) =>
				refuses(backend.signInWithToken(id, null, pasted, url), { kind: "form", field, fault });
			await refused("two words", "", "token", "notAToken");
			await refused("a-long-enough-token", "maps.example.org", "webAppUrl", "notAWebAppUrl");
		},
	},
	{
		name: "an error response is no token, and is refused before it is sent",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await city(backend);
			const pasted = '{"error":{"code":400,"message":"Unable to generate token.","details":[]}}';
			await refuses(backend.signInWithToken(id, null, pasted, ""), {
				kind: "form",
				field: "token",
				fault: "anErrorResponse",
			});
		},
	},
	{
		name: "a sign-in with the browser needs a client ID and a portal, and one that was not begun is stopped without an error",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await backend.saveSite(form());
			const noClientId = { kind: "form", field: "clientId", fault: "noClientId" };
			await refuses(backend.signInInBrowser(id), noClientId);
			await refuses(backend.signInWithCode(id, "abc-123"), noClientId);
			const servers = server("https://gis.example.org/server");
			const alone = await backend.saveSite(form({ name: "Alone", portal: "", servers, clientId: "steward" }));
			const noPortal = { kind: "noAddress", component: "portal" };
			await refuses(backend.signInInBrowser(alone.id), noPortal);
			await refuses(backend.signInWithCode(alone.id, "abc-123"), noPortal);
			await backend.stopBrowserSignIn(id);
		},
	},
	{
		name: "a code is accepted after its page was opened only, and a text that is no code is refused first",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await backend.saveSite(form({ clientId: "steward" }));
			const wrong = (fault: string) => ({ kind: "form", field: "code", fault });
			await refuses(backend.signInWithCode(id, "two words"), wrong("notAToken"));
			await refuses(backend.signInWithCode(id, "SUCCESS code="), wrong("notAToken"));
			await refuses(backend.signInWithCode(id, " SUCCESS code=a1 "), wrong("required"));
			has(await backend.session(await serverAt(backend, id)), null);
		},
	},
	{
		name: "a token that expired once is renewed without a question",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			const rule = { fault: "expiredToken", target: "find_items", times: 1, seconds: 1, after: false } as const;
			await backend.addFault(rule);
			const filters = { parentPath: "/fileShares", ancestorPath: "", types: "", id: "", isManaged: null };
			const query = { column: "path", descending: false, filter: "", type: null } as const;
			has(await backend.findItems(serverOf(site), run().id, filters, { query, most: 1, apart: false }), {
				kind: "done",
			});
		},
	},
	{
		name: "a session that the site ends asks for the sign-in",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			await backend.addFault({ fault: "expiredToken", target: "find_items", times: 9, seconds: 1, after: false });
			const filters = { parentPath: "/fileShares", ancestorPath: "", types: "", id: "", isManaged: null };
			const query = { column: "path", descending: false, filter: "", type: null } as const;
			await fails(
				backend.findItems(serverOf(site), run().id, filters, { query, most: 1, apart: false }),
				{
					kind: "signIn",
					site: site.id,
				},
				"failed",
			);
		},
	},
];
