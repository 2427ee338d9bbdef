import { act, cleanup, screen, waitFor, within } from "@testing-library/react";

import { newRun, type RunStep, type RunView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { serverOf } from "@/lib/target";
import { deactivated, unsavedConcern } from "@/test/deactivation";
import { axeFindings, lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const { site, session, world } = signedInSite();

function openWhileExporting() {
	const backend = fakeBackend({ world, endless: ["exportPortal"] });
	void backend.exportPortal(site.id, newRun("run"), { target: { kind: "folder", location: "/srv" }, checkOnly: false });
	return { ...renderWith(<App />, backend, lastAt(site.id)), happen: backend.happen };
}

describe("closing the window while something runs", () => {
	test("is asked about, says what it means, and closes only when told to", async () => {
		const { user, happen } = openWhileExporting();
		await screen.findByRole("button", { name: "Show Portal export on City GIS" });
		act(() => happen.closeRequested());
		const dialog = within(await screen.findByRole("dialog", { name: "Close the app while 1 operation is running?" }));
		expect(dialog.getByText("Portal export on City GIS")).toBeInTheDocument();
		expect(
			dialog.getByText(
				/Uploads and downloads are interrupted.*The history shows the outcome of these requests as unknown/,
			),
		).toBeInTheDocument();
		expect(await axeFindings()).toEqual([]);
		await waitFor(() => expect(happen.answers).toEqual(["asking"]));
		await user.click(dialog.getByRole("button", { name: "Keep window open" }));
		await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
		expect(happen.answers).toEqual(["asking", "stay"]);

		act(() => happen.closeRequested());
		await user.click(await screen.findByRole("button", { name: "Close anyway" }));
		await waitFor(() => expect(happen.answers).toEqual(["asking", "stay", "asking", "close"]));
	});
});

test("closing calls a reactivation and an upload by their names", async () => {
	const endless = ["reactivateWebhooks", "uploadForImport"] as const;
	const other = { ...site, id: "other", name: "Water" };
	const sessions = new Map([site, other].map(({ id }) => [id, { ...session, site: id }]));
	const backend = fakeBackend({
		world: { sites: [site, other], sessions, deactivations: [deactivated()] },
		endless: [...endless],
	});
	void backend.reactivateWebhooks(serverOf(site), newRun("reactivation"), "s1");
	void backend.uploadForImport(serverOf(other), newRun("upload"), { kind: "choose", partMebibytes: 10 });
	renderWith(<App />, backend, lastAt(site.id));
	await screen.findByRole("region", { name: "Operations panel" });
	act(() => backend.happen.closeRequested());
	const dialog = within(await screen.findByRole("dialog", { name: "Close the app while 2 operations are running?" }));
	const named = dialog.getAllByRole("listitem").map((item) => item.textContent);
	expect(named).toEqual(["Webhook reactivation on City GIS", "Upload for Server import on Water"]);
});

test("closing is not asked about any longer by whoever looks elsewhere", async () => {
	const { user, happen } = openWhileExporting();
	await screen.findByRole("button", { name: "Show Portal export on City GIS" });
	act(() => happen.closeRequested());
	await screen.findByRole("dialog", { name: "Close the app while 1 operation is running?" });
	await user.keyboard("{F1}");
	await screen.findByRole("heading", { level: 1, name: "Help" });
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	expect(happen.answers).toEqual(["asking", "stay"]);
});

test("closing says that an import report that has not arrived is lost for good, and nothing of it for other runs", async () => {
	const { happen } = openWhileExporting();
	await screen.findByRole("button", { name: "Show Portal export on City GIS" });
	act(() => happen.closeRequested());
	await screen.findByRole("dialog", { name: "Close the app while 1 operation is running?" });
	expect(screen.queryByText(/lost for good/)).toBeNull();
	cleanup();

	const backend = fakeBackend({ world, endless: ["importServer"] });
	void backend.importServer(serverOf(site), newRun("run"), {
		location: "/a.agssite",
		confirmation: site.name,
		safetyBackup: null,
		deactivateWebhooks: null,
	});
	renderWith(<App />, backend, lastAt(site.id));
	await screen.findByRole("button", { name: "Show Server import on City GIS" });
	act(() => backend.happen.closeRequested());
	const dialog = within(await screen.findByRole("dialog", { name: "Close the app while 1 operation is running?" }));
	expect(
		dialog.getByText(/^The import report has not arrived yet\. If you close now, it is lost for good/),
	).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

describe("what closing says of an operation", () => {
	const run = (step: RunStep, sent: boolean, more: Partial<RunView> = {}): RunView => ({
		id: `${step.kind} ${more.site}`,
		site: site.id,
		server: null,
		serverName: null,
		siteName: site.name,
		operation: "import_server",
		act: null,
		isUndo: false,
		startedAt: Date.now(),
		step,
		sent,
		usual: null,
		...more,
	});
	const unsent = /has not been sent to the site yet/;
	const sent = /^Uploads and downloads are interrupted/;
	const search = /^The results of the search are lost/;
	const report = /^The import report has not arrived yet/;
	const importUnsent = /^The import itself has not been sent/;
	const staysInactive = /^If webhooks were deactivated for the import, they stay inactive/;
	const other = { site: "other", siteName: "Water" };

	test.each<[string, RunView[], RegExp[], string]>([
		["prepared", [run({ kind: "preparing" }, false)], [unsent], "Server import on City GIS (not sent yet)"],
		[
			"of which the location is checked",
			[run({ kind: "checking" }, false, { operation: "export_portal" })],
			[unsent],
			"Portal export on City GIS (not sent yet)",
		],
		[
			"before an import",
			[run({ kind: "takingInventory" }, false)],
			[unsent],
			"Server import on City GIS (not sent yet)",
		],
		[
			"while webhooks are deactivated",
			[run({ kind: "services", done: 1, total: 2 }, true)],
			[sent, importUnsent, staysInactive],
			"Server import on City GIS",
		],
		[
			"after a deactivation",
			[run({ kind: "preparing" }, true)],
			[sent, importUnsent, staysInactive],
			"Server import on City GIS",
		],
		[
			"while its backup is created",
			[run({ kind: "securing" }, true)],
			[sent, importUnsent, staysInactive],
			"Server import on City GIS",
		],
		[
			"of a portal while its backup is created",
			[run({ kind: "securing" }, true, { operation: "import_portal" })],
			[sent, importUnsent],
			"Portal import on City GIS",
		],
		["that was sent", [run({ kind: "waiting" }, true)], [sent, report, staysInactive], "Server import on City GIS"],
		[
			"that is prepared beside one that was sent",
			[run({ kind: "waiting" }, true, { operation: "export_server" }), run({ kind: "preparing" }, false, other)],
			[sent],
			"Server import on Water (not sent yet)",
		],
		[
			"that is prepared beside a search",
			[run({ kind: "waiting" }, false, { operation: "find_items" }), run({ kind: "preparing" }, false, other)],
			[unsent, search],
			"Server import on Water (not sent yet)",
		],
	])("%s", async (_, running, said, named) => {
		const backend = { ...fakeBackend({ world }), listRuns: async () => ({ revision: 1, running, ended: [] }) };
		renderWith(<App />, backend, lastAt(site.id));
		await screen.findByRole("region", { name: "Operations panel" });
		act(() => backend.happen.closeRequested());
		const dialog = within(await screen.findByRole("dialog", { name: /^Close the app while/ }));
		for (const text of [unsent, sent, search, report, importUnsent, staysInactive]) {
			expect(dialog.queryAllByText(text), String(text)).toHaveLength(said.includes(text) ? 1 : 0);
		}
		expect(dialog.getAllByRole("listitem").map((item) => item.textContent)).toContain(named);
	});
});

test("closing says that an invitation would be lost which only memory holds", async () => {
	const backend = fakeBackend({ world });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await screen.findByRole("heading", { level: 1, name: "Overview" });
	act(() => backend.happen.closeRequested(1));
	const dialog = within(await screen.findByRole("dialog", { name: "Close the app?" }));
	expect(dialog.getByText(/^A refreshed invitation could not be stored .* it is lost\./)).toBeInTheDocument();
	expect(dialog.queryByText("No operations are running.")).not.toBeInTheDocument();
	await user.click(dialog.getByRole("button", { name: "Close anyway" }));
	await waitFor(() => expect(backend.happen.answers).toEqual(["asking", "close"]));
});

describe("the start", () => {
	test("is over, and said to be once, when the first screen shows the sites", async () => {
		const usable = vi.fn(async () => {});
		renderWith(<App />, { ...fakeBackend({ world }), windowUsable: usable }, lastAt(site.id));
		expect(usable).not.toHaveBeenCalled();
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		await waitFor(() => expect(usable).toHaveBeenCalledTimes(1));
	});

	test("is over with word of when there was something to see", async () => {
		const paint = { startTime: 120 } as PerformanceEntry;
		vi.spyOn(performance, "getEntriesByName").mockImplementation((name) =>
			name === "first-contentful-paint" ? [paint] : [],
		);
		const usable = vi.fn(async () => {});
		renderWith(<App />, { ...fakeBackend({ world }), windowUsable: usable }, lastAt(site.id));
		await waitFor(() => expect(usable).toHaveBeenCalledWith(Math.round(performance.timeOrigin + 120)));
	});
});

describe("a file that is dragged onto the window", () => {
	const file = { path: "/home/sam/Nov-20.agssite", name: "Nov-20.agssite", kind: "siteFile" } as const;

	function open(lastSite: string | null) {
		const backend = fakeBackend({ world });
		const view = renderWith(<App />, backend, lastSite ? lastAt(lastSite) : undefined);
		return { ...view, happen: backend.happen };
	}

	test("leads a site file to the import", async () => {
		const { happen } = open(site.id);
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		act(() => happen.fileDrag({ kind: "over", file }));
		expect(await screen.findByText("Drop Nov-20.agssite to choose it for a server import")).toBeInTheDocument();
		act(() => happen.fileDrag({ kind: "dropped", file }));
		expect(await screen.findByRole("heading", { level: 1, name: "Server import" })).toBeInTheDocument();
		expect(screen.queryByText(/^Drop Nov-20/)).not.toBeInTheDocument();
	});

	test("leads there once: whoever goes to another site is not led back", async () => {
		const other = { ...site, id: "other", name: "Water" };
		const sessions = new Map([site, other].map(({ id }) => [id, { ...session, site: id }]));
		const backend = fakeBackend({ world: { sites: [site, other], sessions } });
		const { user } = renderWith(<App />, backend, lastAt(site.id));
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		act(() => backend.happen.fileDrag({ kind: "dropped", file }));
		await screen.findByRole("heading", { level: 1, name: "Server import" });
		await user.click(screen.getByRole("button", { name: "Select a site: City GIS" }));
		await user.click(await screen.findByRole("menuitem", { name: /Water/ }));
		expect(await screen.findByRole("button", { name: "Select a site: Water" })).toBeVisible();
		expect(screen.queryByRole("heading", { level: 1, name: "Server import" })).toBeNull();
	});

	test("leads a contact sheet to the participants, and shows what is in it", async () => {
		const { happen } = open(site.id);
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		const sheet = { path: "/home/sam/contacts.csv", name: "contacts.csv", kind: "contactsFile" } as const;
		act(() => happen.fileDrag({ kind: "dropped", file: sheet }));
		expect(await screen.findByRole("heading", { level: 1, name: "Participants" })).toBeInTheDocument();
		expect(await screen.findByRole("tab", { name: "Contacts file (CSV)" })).toHaveAttribute("aria-selected", "true");
		expect(await screen.findByText("contacts.csv: 4 rows")).toBeInTheDocument();
	});

	test("says what it takes when the file is of another kind", async () => {
		const { happen } = open(site.id);
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		act(() => happen.fileDrag({ kind: "dropped", file: null }));
		expect(
			await screen.findByText("This file cannot be used. Drop one .agssite, .csv, .portalsite, or .invite file."),
		).toBeInTheDocument();
	});

	test("asks for a site where none is chosen", async () => {
		const { happen } = open(null);
		await screen.findByRole("heading", { level: 1, name: "All sites" });
		act(() => happen.fileDrag({ kind: "dropped", file }));
		expect(await screen.findByText("Select a site first to use Nov-20.agssite.")).toBeInTheDocument();
	});
});

describe("a file that is opened with the program", () => {
	const file = { path: "/home/sam/Nov-20.agssite", name: "Nov-20.agssite", kind: "siteFile" } as const;

	test("waits for the page, and is chosen in the import", async () => {
		const backend = fakeBackend({ world });
		backend.happen.fileOpened({ file });
		renderWith(<App />, backend, lastAt(site.id));
		expect(await screen.findByRole("heading", { level: 1, name: "Server import" })).toBeInTheDocument();
		expect(await screen.findByRole("button", { name: "Upload Nov-20.agssite" })).toBeInTheDocument();
		expect(await backend.takeOpenedFile()).toBeNull();
	});

	test("reaches a page that is there already", async () => {
		const backend = fakeBackend({ world });
		renderWith(<App />, backend, lastAt(site.id));
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		act(() => backend.happen.fileOpened({ file }));
		expect(await screen.findByRole("button", { name: "Upload Nov-20.agssite" })).toBeInTheDocument();
	});

	test.each([
		["museum.invite", "invitation", "Invitations", /^museum\.invite is an invitation\./],
		["Nov-20.portalsite", "portalFile", "Portal import", /^Nov-20\.portalsite is a portal export\./],
	] as const)("says what %s is for, beside what has to do with it", async (name, kind, page, words) => {
		const backend = fakeBackend({ world });
		backend.happen.fileOpened({ file: { path: `/home/sam/${name}`, name, kind } });
		renderWith(<App />, backend, lastAt(site.id));
		expect(await screen.findByRole("heading", { level: 1, name: page })).toBeInTheDocument();
		expect(await screen.findByText(words)).toBeInTheDocument();
	});
});

test.each([
	[["preferences"], "Your settings could not be read"],
	[["beforeRelease"], "Earlier data was set aside"],
	[["plans", "alerts"], "Data of the app could not be read (2 notices)"],
] as const)("what could not be read is said above every page until it is resolved: %s", async (whats, title) => {
	const setAside = whats.map((what) => ({ what, path: `/home/sam/${what}`, isEmpty: false }));
	const { user } = renderWith(<App />, { world }, { ...lastAt(site.id), setAside });
	const banner = await screen.findByRole("status", { name: title });
	await user.click(within(banner).getByRole("button", { name: "Show in settings" }));
	expect(await screen.findByRole("heading", { level: 1, name: "Settings" })).toBeInTheDocument();
	await waitFor(() => expect(banner).not.toBeInTheDocument());
	for (const what of whats) expect(screen.getByText(`/home/sam/${what}`)).toBeInTheDocument();
});

test("a faulty file of the organisation is said at the start", async () => {
	const policy = {
		file: "/etc/site-steward/policy.json",
		locked: [],
		plans: "allowed" as const,
		plansFolder: null,
		faults: [{ kind: "unreadable", said: "" } as const],
	};
	renderWith(<App />, { world }, { ...lastAt(site.id), policy });
	expect(await screen.findByText(/^Your organization's policy file contains errors\./)).toBeInTheDocument();
});

test("a notice on the sidebar says what is due, unless nobody wants to know", async () => {
	const { user } = renderWith(
		<App />,
		fakeBackend({ world: { ...world, concerns: [unsavedConcern] } }),
		lastAt(site.id),
	);
	const link = await screen.findByRole("button", { name: "Invitations" });
	await waitFor(() => expect(link).toHaveAccessibleDescription("1 refreshed invitation is not saved to a file"));
	await user.keyboard("{Control>},{/Control}");
	await user.click(await screen.findByRole("switch", { name: /^Show reminders/ }));
	await waitFor(() => expect(link).not.toHaveAccessibleDescription());
});

test("a read-only site is marked on every page of it, with the time that is left while it is unlocked", async () => {
	const locked = { ...site, readOnly: true };
	const { user } = renderWith(<App />, fakeBackend({ world: { ...world, sites: [locked] } }), lastAt(site.id));
	const bar = within(await screen.findByRole("banner"));
	await user.click(await screen.findByRole("button", { name: "Portal export" }));
	await user.click(await bar.findByRole("button", { name: "Read-only" }));
	await screen.findByRole("heading", { level: 1, name: "Overview" });
});

test("an unlocked site says for how long", async () => {
	const unlocked = { ...site, readOnly: true, unlockedUntil: Date.now() + 14 * 60_000 };
	renderWith(<App />, fakeBackend({ world: { ...world, sites: [unlocked] } }), lastAt(site.id));
	const bar = within(await screen.findByRole("banner"));
	expect(await bar.findByRole("button", { name: /^Unlocked, 1[34] min left$/ })).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});
