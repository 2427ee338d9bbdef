import type { Backend } from "../backend";
import type { HistoryEntry, NewRun, PracticeView, RunResult, SiteForm, SiteId, SiteView, Target } from "../bindings";
import { newRun } from "../new-run";
import { ok, until } from "./situation";

/** Removes what an earlier situation left: sites, runs, and faults. The history stays. */
export async function cleared(backend: Backend): Promise<void> {
	for (const { id } of (await backend.listRuns()).running) await backend.stopRun(id);
	await until(async () => (await backend.listRuns()).running.length === 0, "every run ends");
	for (const { id } of (await backend.listRuns()).ended) await backend.dismissRun(id);
	await backend.clearFaults();
	await backend.stopPractice();
	for (const { id, readOnly } of await backend.listSites()) {
		if (readOnly) await backend.unlockSite(id, "The situation is over");
		await backend.removeSite(id, "The situation is over");
	}
	await backend.endTour();
}

/** Resets the practice site and signs in a user with a role. */
export async function practice(backend: Backend, role = "administrator"): Promise<PracticeView> {
	await backend.startPractice();
	const view = await backend.resetPractice();
	await backend.signInToPractice(userOf(view, role));
	return { ...view, site: await siteOf(backend, view.site.id) };
}

/** Saves the practice site a second time, under another host name, as if the administrator had added it. */
export async function city(backend: Backend, changes: Partial<SiteForm> = {}): Promise<SiteView> {
	await backend.startPractice();
	const view = await backend.resetPractice();
	const elsewhere = (address: string | null) => (address ?? "").replace("127.0.0.1", "localhost");
	const site = await backend.saveSite(
		form({
			portal: elsewhere(view.site.portal),
			servers: server(elsewhere(view.site.server)),
			connection: {
				...form().connection,
				caCertificate: view.site.connection.caCertificate,
				route: { kind: "direct" },
			},
			...changes,
		}),
	);
	const username = userOf(view, "administrator");
	const password = await backend.practicePassword(username);
	const signIn = { username, password, keepPassword: false };
	await backend.signIn(site.id, null, signIn);
	// The portal does not list the server under this host name, so the server requires a sign-in of its own.
	await backend.signIn(site.id, site.currentServer, signIn);
	return siteOf(backend, site.id);
}

export async function siteOf(backend: Backend, id: SiteId): Promise<SiteView> {
	const site = (await backend.listSites()).find((one) => one.id === id);
	ok(site !== undefined, `the site ${id} is not saved`);
	return site;
}

export function userOf({ users }: PracticeView, role: string): string {
	const user = users.find((one) => one.role === role);
	ok(user !== undefined, `the practice site has no ${role}`);
	return user.username;
}

/** Returns the form of a production site whose host does not exist. */
export function form(changes: Partial<SiteForm> = {}): SiteForm {
	return {
		id: null,
		name: "City GIS",
		environment: "production",
		color: "red",
		portal: "https://gis.example.org/portal",
		deploymentType: null,
		portalAdminUrl: "",
		servers: [],
		connection: {
			caCertificate: "",
			clientCertificate: "",
			clientCertificatePassword: null,
			trustedCertificates: [],
			route: { kind: "system" },
			proxyPassword: null,
		},
		clientId: "",
		readOnly: false,
		reason: "",
		...changes,
	};
}

export function server(address: string, id: string | null = null): SiteForm["servers"] {
	const name = new URL(address).hostname;
	return [{ id, name, address, servicesUrl: "", adminUrl: "", serverType: { kind: "gis" }, role: "" }];
}

export function run(): NewRun {
	return newRun();
}

/** Returns the report of an operation, which must have succeeded. */
export function reportOf<T>(ended: RunResult<T>): T {
	ok(ended.kind === "done", `the operation ended as ${JSON.stringify(ended)}`);
	return ended.report;
}

/** Returns the history entry of an operation, which must have one. */
export function recordOf(ended: RunResult<unknown>): string {
	const record = "record" in ended ? ended.record : null;
	ok(record !== null, `the operation has no record: ${JSON.stringify(ended)}`);
	return record;
}

/** Returns the current server of a site. */
export async function serverAt(backend: Backend, site: SiteId): Promise<Target> {
	const saved = (await backend.listSites()).find(({ id }) => id === site);
	return { site, server: saved?.currentServer ?? null };
}

/** Exports a server and returns the location of the file. */
export async function exported(backend: Backend, site: string, location: string): Promise<string> {
	const { outcome } = reportOf(
		await backend.exportServer(await serverAt(backend, site), run(), { place: { kind: "serverFolder", location } }),
	);
	ok(outcome.status === "written", `the server export ended as ${outcome.status}`);
	return outcome.location;
}

/** Returns the history of a site, newest first. */
export async function past(backend: Backend, site: SiteId): Promise<HistoryEntry[]> {
	const search = { text: "", site, server: null, operation: null, username: null, outcomes: [], from: null, to: null };
	return (await backend.searchHistory(search, null, 100)).entries;
}
