// The vendor's JavaScript client, from sign-in through every operation. Prints one line of JSON for each step.
//
// node administer.mjs READY_FILE EXPORT_FOLDER, with NODE_EXTRA_CA_CERTS naming the site's authority. READY_FILE is
// what the practice site writes when it is ready.

import { getPortal, getSelf, getUser } from "@esri/arcgis-rest-portal";
import { ArcGISIdentityManager, fetchToken, request } from "@esri/arcgis-rest-request";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

const [readyFile, folder] = process.argv.slice(2);
const ready = JSON.parse(readFileSync(readyFile, "utf8"));
const sharing = `${ready.portal}/sharing/rest`;
const { username, password } = ready.users.find((user) => user.role === "administrator");

async function step(name, work) {
	let line;
	try {
		line = { step: name, got: await work() };
	} catch (error) {
		line = { step: name, refused: { code: error.code, message: error.message } };
	}
	console.log(JSON.stringify(line));
	return line.got;
}

const manager = await ArcGISIdentityManager.signIn({ username, password, portal: sharing });
await step("sign in", () => ({ username: manager.username, expires: manager.tokenExpires.getTime() }));
await step("sign in with a wrong password", () =>
	ArcGISIdentityManager.signIn({ username, password: "wrong", portal: sharing }),
);
await step("self", async () => (await getSelf({ authentication: manager })).user.username);
await step("portal", async () => (await getPortal(ready.portal_id, { authentication: manager })).id);
await step("user", async () => (await getUser({ username, authentication: manager })).privileges);
await step("server token", () => manager.getToken(`${ready.server}/rest/services`));

// Outside of `sharing/rest` and `rest/services` this client takes a token only as a parameter.
const { token } = manager;
const ask = (address, params = {}, options = {}) => request(address, { params: { token, ...params }, ...options });
const portalAdmin = `${ready.portal}/portaladmin`;
const serverAdmin = `${ready.server}/admin`;

await step("export_portal: check", () => ask(`${portalAdmin}/exportSite`, { location: folder, validate: true }));
const portal = await step("export_portal", () => ask(`${portalAdmin}/exportSite`, { location: folder }));
const exported = await step("export_server", () => ask(`${serverAdmin}/exportSite`, { location: folder }));
await step("export_server: stored", () => ask(`${serverAdmin}/exportSite`, { location: "" }));
await step("import_server", () => ask(`${serverAdmin}/importSite`, { location: exported.location }));

const webhooks = `${serverAdmin}/services/Hosted/Hydrants.FeatureServer/webhooks`;
const active = async () => (await ask(webhooks)).webhooks.filter((webhook) => webhook.active).length;
await step("webhooks before", active);
await step("deactivate_webhooks", () => ask(`${webhooks}/deactivateAll`));
await step("webhooks after", active);

await step("find_items", async () => (await ask(`${serverAdmin}/data/findItems`, { ancestorPath: "/" })).items.length);
await step("find_items: GET", async () => {
	const found = await ask(`${serverAdmin}/data/findItems`, { types: "egdb" }, { httpMethod: "GET" });
	return [...new Set(found.items.map((item) => item.type))];
});
await step("find_items: no filter", () => ask(`${serverAdmin}/data/findItems`));

// Below `sharing/rest` the manager adds the token by itself.
const manage = (path, options = {}) =>
	request(`${sharing}/portals/${ready.portal_id}/collaborations${path}`, { authentication: manager, ...options });
const collaborations = await step("collaborations", async () => (await manage("")).collaborations);
const flood = collaborations.find((one) => one.name === "Flood Response").id;
const guests = async () => {
	const all = (await manage(`/${flood}/participants`)).participants;
	return all.filter((one) => one.collaborationRole === "Guest");
};
const guest = (await guests())[0].portalInfo.id;
await step("update_participant", () =>
	manage(`/${flood}/participants/${guest}/updateInfo`, {
		params: { contactFirstname: "Ana", contactLastname: "Ito", contactEmailAddress: "ana@example.net" },
	}),
);
await step("participant", async () => (await guests()).find((one) => one.portalInfo.id === guest).config);

const invitation = (await manage(`/${flood}/invitations`)).collaborationInvitations[0].id;
await step("refresh_invitation", async () => {
	const response = await manage(`/${flood}/invitations/${invitation}/refresh`, { rawResponse: true });
	const file = JSON.parse(await response.text());
	return {
		disposition: response.headers.get("content-disposition"),
		id: file.invitationRequest.id === invitation,
		hours: (file.invitationRequest.expiration - Date.now()) / 3_600_000,
	};
});

await step("without a token", () => request(`${portalAdmin}/exportSite`, { params: { location: folder } }));

// A code with PKCE, as a person gets it in a browser, and what this client makes of it.
const codeVerifier = randomBytes(32).toString("base64url");
const redirectUri = "http://127.0.0.1:9/signed-in";
const asked = new URLSearchParams({
	client_id: "arcgisonline",
	response_type: "code",
	redirect_uri: redirectUri,
	code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
	code_challenge_method: "S256",
});
const page = await (await fetch(`${sharing}/oauth2/authorize?${asked}`)).text();
const typed = { oauth_state: /"oauth_state":"(\w+)"/.exec(page)[1], username, password };
const answer = await fetch(`${ready.portal}/sharing/oauth2/signin`, {
	method: "POST",
	body: new URLSearchParams(typed),
	redirect: "manual",
});
const code = new URL(answer.headers.get("location")).searchParams.get("code");
const granted = await fetchToken(`${sharing}/oauth2/token`, {
	params: {
		client_id: "arcgisonline",
		grant_type: "authorization_code",
		redirect_uri: redirectUri,
		code,
		code_verifier: codeVerifier,
	},
});
const person = new ArcGISIdentityManager({
	clientId: "arcgisonline",
	redirectUri,
	portal: sharing,
	username: granted.username,
	token: granted.token,
	tokenExpires: granted.expires,
	refreshToken: granted.refreshToken,
	refreshTokenExpires: granted.refreshTokenExpires,
});
await step("code", () => person.username);
const first = person.token;
await step("refresh token", async () => (await person.refreshCredentials()).token !== first);
await step("exchange refresh token", async () => {
	const old = person.refreshToken;
	return (await person.exchangeRefreshToken()).refreshToken !== old;
});
await step("self by code", async () => (await getSelf({ authentication: person })).user.username);
await step("self by an ended token", () => request(`${sharing}/community/self`, { params: { token: first } }));
const last = person.token;
await step("sign out", () => ArcGISIdentityManager.destroy(person));
await step("self after sign out", () => request(`${sharing}/community/self`, { params: { token: last } }));

// It ends all sessions.
await step("import_portal", () => ask(`${portalAdmin}/importSite`, { location: portal.location }));
await step("self after the import", () => request(`${sharing}/community/self`, { params: { token } }));
