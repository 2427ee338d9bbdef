import { act, screen, waitFor, within } from "@testing-library/react";
import { type Backend, type Concern, type HistoryEntry, newRun, type Problem } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { serverOf } from "@/lib/target";
import { deactivated } from "@/test/deactivation";
import { pastOf } from "@/test/past";
import { axeFindings, fill, lastAt, press, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const { site, world } = signedInSite();
const folder = { target: { kind: "folder", location: "/srv" }, checkOnly: false } as const;

function record(id: string, more: Partial<HistoryEntry> = {}): HistoryEntry {
	return {
		id,
		site: site.id,
		server: null,
		serverName: null,
		siteName: site.name,
		operation: "export_portal",
		username: "gisadmin",
		startedAt: Date.now() - 900_000,
		endedAt: Date.now() - 60_000,
		parameters: [],
		outcome: "succeeded",
		summary: null,
		note: "",
		noteParts: [],
		upload: null,
		hasReport: false,
		elapsed: null,
		siteVersion: "",
		programVersion: "",
		systemUser: "pat",
		computer: "gis-desk",
		hasCommand: true,
		hasSafetyBackup: false,
		isResolved: false,
		reason: "",
		batch: null,
		...more,
	};
}

const dock = async () => within(await screen.findByRole("region", { name: "Operations panel" }));

test("a run says how long it usually takes on this site", async () => {
	const backend = fakeBackend({ world: { ...world, usual: 14 * 60_000 }, endless: ["exportPortal"] });
	void backend.exportPortal(site.id, newRun("run"), folder);
	renderWith(<App />, backend, lastAt(site.id));
	expect(await (await dock()).findByRole("timer")).toHaveTextContent(/^0:\d\d, usually 14 min$/);
});

test.each([
	["import_portal", "Undo of portal import on City GIS"],
	["import_server", "Undo of server import on City GIS"],
] as const)("the undo of %s is named as in the history, and not as an import", async (operation, name) => {
	const server = record("r-1", { operation: "import_server", server: serverOf(site).server });
	const backend = fakeBackend({ world: { ...world, history: [server] }, endless: ["undoImport", "undoPortalImport"] });
	if (operation === "import_portal") {
		const form = { location: "/srv/a.portalsite", exportVersion: "11.5", safetyBackup: "/srv", checkOnly: false };
		const done = await backend.importPortal(site.id, newRun("import"), { ...form, confirmation: site.name });
		const record = done.kind === "done" ? (done.record ?? "") : "";
		void backend.undoPortalImport(site.id, newRun("run"), record, site.name, null);
	} else void backend.undoImport(site.id, newRun("run"), "r-1", site.name, { secure: false, throughWebAdaptor: false });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	const panel = await dock();
	expect(await panel.findByText(name)).toBeVisible();
	await user.click(panel.getByRole("button", { name: /^Stop/ }));
	expect(await screen.findByRole("dialog", { name: new RegExp(name.replace(/ on .*/, "")) })).toBeVisible();
});

test("a run that usually takes less than a second does not say so", async () => {
	const backend = fakeBackend({ world: { ...world, usual: 100 }, endless: ["exportPortal"] });
	void backend.exportPortal(site.id, newRun("run"), folder);
	renderWith(<App />, backend, lastAt(site.id));
	expect(await (await dock()).findByRole("timer")).toHaveTextContent(/^0:\d\d$/);
});

test("stopping an upload is called so, and ends it", async () => {
	const backend = fakeBackend({ world, endless: ["uploadForImport"] });
	const ended = backend.uploadForImport(serverOf(site), newRun("run"), { kind: "choose", partMebibytes: 10 });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: "Stop the upload for Server import on City GIS" }));
	const question = within(
		await screen.findByRole("dialog", { name: "Stop the upload for Server import on City GIS?" }),
	);
	expect(question.getByRole("button", { name: "Continue upload" })).toHaveFocus();
	await user.click(question.getByRole("button", { name: "Stop upload" }));
	expect(await ended).toMatchObject({ kind: "stopped" });
});

test("an upload that has ended is shown below another page, and not below its own form", async () => {
	const backend = fakeBackend({ world });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await screen.findByRole("heading", { name: "Overview" });
	const ended = async () => (await backend.listRuns()).ended.map(({ id }) => id);
	await backend.uploadForImport(serverOf(site), newRun("elsewhere"), { kind: "choose", partMebibytes: 10 });
	expect(await (await dock()).findByText(/^Upload on City GIS/)).toBeVisible();
	const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
	await user.click(await sidebar.findByRole("button", { name: "Server import" }));
	await screen.findByRole("heading", { name: "Server import" });
	await user.click(await screen.findByText("This computer"));
	await user.click(screen.getByRole("button", { name: "Choose and upload a file" }));
	expect(await screen.findByText(/^Uploaded city.agssite /)).toBeVisible();
	await waitFor(async () => expect(await ended()).toEqual(["elsewhere"]));
});

test("an upload that its form cannot show, as after the page was loaded again, keeps its row", async () => {
	const backend = fakeBackend({ world });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
	await user.click(await sidebar.findByRole("button", { name: "Server import" }));
	await screen.findByRole("heading", { name: "Server import" });
	// The upload starts without the form, as if the page that started it had been left.
	await act(() => backend.uploadForImport(serverOf(site), newRun("before"), { kind: "choose", partMebibytes: 10 }));
	expect(await (await dock()).findByRole("button", { name: /^Dismiss .* on City GIS$/ })).toBeVisible();
	expect((await backend.listRuns()).ended.map(({ id }) => id)).toEqual(["before"]);
});

test("several contacts are stopped between two of them, and are called so", async () => {
	const backend = fakeBackend({ world, endless: ["updateParticipants"] });
	const contact = { contactFirstname: "Kim", contactLastname: "Harbour", contactEmailAddress: "kim@example.net" };
	const forms = ["p-1", "p-2"].map((participantId) => ({ collaborationId: "c", participantId, ...contact }));
	void backend.updateParticipants(site.id, newRun("run"), forms);
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await user.click(
		await screen.findByRole("button", {
			name: "Stop Participant contact update on City GIS after the current request",
		}),
	);
	const question = within(
		await screen.findByRole("dialog", {
			name: "Stop Participant contact update on City GIS after the current request?",
		}),
	);
	expect(question.getByText(/is completed. No other requests are sent/)).toBeVisible();
	expect(question.getByRole("button", { name: "Stop after current request" })).toBeEnabled();
});

test("a stop between services says that the next ones are not sent", async () => {
	const backend = fakeBackend({ world, endless: ["deactivateWebhooks"] });
	const form = { services: ["A.MapServer", "B.MapServer"], why: "", confirmation: site.name };
	void backend.deactivateWebhooks(serverOf(site), newRun("run"), form);
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: "Stop Webhook deactivation on City GIS" }));
	const question = within(await screen.findByRole("dialog", { name: "Stop Webhook deactivation on City GIS?" }));
	expect(question.getByText(/No other requests are sent, and nothing is undone/)).toBeVisible();
});

test("stopping a search promises no record", async () => {
	const backend = fakeBackend({ world, endless: ["findItems"] });
	const filters = { parentPath: "", ancestorPath: "/", types: "", id: "", isManaged: null };
	const query = { column: "path", descending: false, filter: "", type: null } as const;
	void backend.findItems(serverOf(site), "run", filters, { query, most: 1, apart: false });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: "Stop waiting for Data store item search on City GIS" }));
	const question = within(
		await screen.findByRole("dialog", { name: "Stop waiting for Data store item search on City GIS?" }),
	);
	expect(
		question.getByText(/City GIS might still complete the search. A search changes nothing and is not recorded/),
	).toBeVisible();
	expect(question.queryByText(/outcome/)).toBeNull();
	await user.click(question.getByRole("button", { name: "Keep waiting" }));

	act(() => backend.happen.closeRequested());
	const closing = within(await screen.findByRole("dialog", { name: "Close the app while 1 operation is running?" }));
	expect(closing.getByText(/A search changes nothing on a site and is not recorded/)).toBeVisible();
	expect(closing.queryByText(/outcome/)).toBeNull();
});

test("what has ended stays with its outcome until it is dismissed, over a reload of the window too", async () => {
	const backend = fakeBackend({ world });
	await backend.exportPortal(site.id, newRun("run"), folder);
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	expect(await (await dock()).findByText("Succeeded")).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
	await user.click((await dock()).getByRole("button", { name: "Dismiss Portal export on City GIS" }));
	await waitFor(() => expect(screen.queryByRole("region", { name: "Operations panel" })).not.toBeInTheDocument());
	expect((await backend.listRuns()).ended).toEqual([]);
});

test("a restoration of webhooks that has ended goes by its own name", async () => {
	const deactivation = deactivated({ site: site.id });
	const backend = fakeBackend({ world: { ...world, deactivations: [deactivation] } });
	await backend.reactivateWebhooks(serverOf(site), newRun("run"), deactivation.id);
	renderWith(<App />, backend, lastAt(site.id));
	expect(await (await dock()).findByText("Webhook reactivation on City GIS")).toBeInTheDocument();
});

test("what its own screen shows needs no line in the dock", async () => {
	const backend = fakeBackend({ world });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
	await user.click(await sidebar.findByRole("button", { name: "Portal export" }));
	await user.type(await screen.findByLabelText(/^Folder the portal can write to/), "/srv");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	await screen.findByText(/^Exported City GIS in/);
	await waitFor(async () => expect((await backend.listRuns()).ended).toEqual([]));
	expect(screen.queryByRole("region", { name: "Operations panel" })).not.toBeInTheDocument();
});

test.each(["its own page", "another page"])(
	"a run that the site rejected says what it did, ended behind %s",
	async (shown) => {
		const problem: Problem = { kind: "rejected", code: 429, message: "Too many requests.", details: [] };
		const backend = fakeBackend({ world, fail: { exportPortal: problem }, runMillis: 300 });
		const { user } = renderWith(<App />, backend, lastAt(site.id));
		const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
		await user.click(await sidebar.findByRole("button", { name: "Portal export" }));
		await user.type(await screen.findByLabelText(/^Folder the portal can write to/), "/srv");
		await user.click(screen.getByRole("button", { name: "Export portal" }));
		if (shown === "another page") {
			await user.click(await sidebar.findByRole("button", { name: "Server export" }));
			expect(await (await dock()).findByText("Failed")).toBeVisible();
			await user.click(await sidebar.findByRole("button", { name: "Portal export" }));
		} else {
			await waitFor(async () => expect((await backend.listRuns()).running).toEqual([]));
			await waitFor(async () => expect((await backend.listRuns()).ended).toEqual([]));
		}
		const notice = await screen.findByRole("alert");
		expect(notice).toHaveTextContent("Too many requests.");
		expect(within(notice).getByText("Nothing was changed on the site.")).toBeVisible();
		expect(notice).not.toHaveTextContent("not sent");
		expect((await pastOf(backend))[0]).toMatchObject({ operation: "export_portal", outcome: "failed" });
	},
);

test("a run that ends after the sign-out is told beside the sign-in that its page shows", async () => {
	// The sign-out removes the session, which the other tests need.
	const backend = fakeBackend({ world: signedInSite().world, endless: ["exportPortal"] });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
	await user.click(await sidebar.findByRole("button", { name: "Portal export" }));
	await user.type(await screen.findByLabelText(/^Folder the portal can write to/), "/srv");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	await (await dock()).findByRole("timer");
	await user.click(screen.getByRole("button", { name: /gisadmin/ }));
	await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
	await screen.findByRole("heading", { name: "Sign in to City GIS" });
	const [run] = (await backend.listRuns()).running;
	await act(() => backend.stopRun(run?.id ?? ""));
	await waitFor(async () => expect((await backend.listRuns()).running).toEqual([]));
	expect(await (await dock()).findByRole("button", { name: /^Check outcome of Portal export/ })).toBeVisible();
	expect((await backend.listRuns()).ended).toHaveLength(1);
});

test("an undo that has ended is told beside the report of another import", async () => {
	const undoable = record("r-1", { operation: "import_server" });
	const backend = fakeBackend({ world: { ...world, history: [undoable] } });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
	await user.click(await sidebar.findByRole("button", { name: "Server import" }));
	await user.click(await screen.findByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await user.type(await screen.findByLabelText("Enter “City GIS” to confirm"), site.name);
	await press(user, "Replace City GIS");
	await screen.findByRole("button", { name: "New import" });
	await waitFor(async () => expect((await backend.listRuns()).ended).toEqual([]));
	await act(() =>
		backend.undoImport(site.id, newRun("undo"), undoable.id, site.name, { secure: false, throughWebAdaptor: false }),
	);
	expect(await (await dock()).findByText("Undo of server import on City GIS")).toBeVisible();
});

test("an undo that has ended is told beside the failure of another import", async () => {
	const undoable = record("r-1", { operation: "import_server", server: serverOf(site).server });
	const problem: Problem = { kind: "rejected", code: 403, message: "Not allowed.", details: [] };
	const fake = fakeBackend({ world: { ...world, history: [undoable] } });
	const failed = { kind: "failed", problem, outcome: "notSent", record: null } as const;
	const backend = { ...fake, importServer: async () => failed };
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
	await user.click(await sidebar.findByRole("button", { name: "Server import" }));
	await user.click(await screen.findByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await user.type(await screen.findByLabelText("Enter “City GIS” to confirm"), site.name);
	await press(user, "Replace City GIS");
	await screen.findByRole("alert");
	await waitFor(async () => expect((await backend.listRuns()).ended).toEqual([]));
	await act(() =>
		backend.undoImport(site.id, newRun("undo"), undoable.id, site.name, { secure: false, throughWebAdaptor: false }),
	);
	expect(await (await dock()).findByText("Undo of server import on City GIS")).toBeVisible();
	expect((await backend.listRuns()).ended).toHaveLength(1);
});

test("after a crash, what was never answered leads to the history", async () => {
	const lost = record("r-1", { outcome: "unknown", endedAt: null });
	const { user } = renderWith(<App />, { world: { ...world, preferences: lastAt(site.id), history: [lost] } });
	const rows = await dock();
	expect(rows.getByText(/^Outcome unknown: Portal export on City GIS, /)).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
	await user.click(rows.getByRole("button", { name: "Check outcome" }));
	const details = await screen.findByRole("region", { name: /^Portal export on/ });
	expect(within(details).getAllByText("Unknown")[0]).toBeInTheDocument();
	expect(await within(details).findByText("Results of the check")).toBeVisible();
	await user.keyboard("{Escape}");
	await waitFor(() => expect(screen.queryByRole("region", { name: /^Portal export on/ })).not.toBeInTheDocument());
	await user.click(rows.getByRole("button", { name: "Later" }));
	await waitFor(() => expect(screen.queryByRole("region", { name: "Operations panel" })).not.toBeInTheDocument());
});

test("an outcome that a response does not tell is unknown, and no response is said to be missing", async () => {
	const ended = {
		id: "run",
		site: site.id,
		server: null,
		serverName: null,
		siteName: site.name,
		act: null,
		isUndo: false,
		record: "r-1",
		endedAt: Date.now(),
		took: 2_000,
	} as const;
	const backend = fakeBackend({ world });
	const unreadable: Backend = {
		...backend,
		listRuns: async () => ({
			...(await backend.listRuns()),
			ended: [{ ...ended, operation: "export_portal", outcome: "unknown" }],
		}),
	};
	renderWith(<App />, unreadable, lastAt(site.id));
	const row = await (await dock()).findByText(
		"The outcome is unknown. The site might still be processing the request.",
	);
	expect(row).toBeVisible();
	expect((await dock()).queryByText(/No response/)).toBeNull();
});

test("what is left unknown is not asked about again", async () => {
	const lost = record("r-1", { outcome: "unknown", endedAt: null });
	const { user } = renderWith(<App />, { world: { ...world, preferences: lastAt(site.id), history: [lost] } });
	await user.click((await dock()).getByRole("button", { name: "Check outcome" }));
	const details = within(await screen.findByRole("region", { name: /^Portal export on/ }));
	await user.click(await details.findByRole("button", { name: "Leave as unknown" }));
	await waitFor(() => expect(screen.queryByRole("region", { name: /^Portal export on/ })).not.toBeInTheDocument());
	await waitFor(() => expect(screen.queryByRole("region", { name: "Operations panel" })).not.toBeInTheDocument());
});

test("several are one line", async () => {
	const lost = { outcome: "unknown", endedAt: null } as const;
	const elsewhere = { site: "elsewhere", siteName: "County GIS" };
	const history = [record("r-1", lost), record("r-2", lost), record("r-3", { ...lost, ...elsewhere })];
	const concerns = history
		.slice(0, 2)
		.map((entry): Concern => ({ tone: "unknown", server: null, at: 0, about: { kind: "record", entry, others: 0 } }));
	renderWith(<App />, { world: { ...world, preferences: lastAt(site.id), history, concerns } });
	expect(await (await dock()).findByText("3 operations with an unknown outcome")).toBeInTheDocument();
	expect((await dock()).getByRole("button", { name: "Check outcomes" })).toBeVisible();
	// The overview, beside the panel, shows those of its own site.
	expect(await screen.findAllByText(/^Outcome unknown: Portal export/)).toHaveLength(2);
});

test("the question whether to stop goes away with the run", async () => {
	const backend = fakeBackend({ world, endless: ["deactivateWebhooks"] });
	const form = { services: ["A.MapServer"], why: "", confirmation: site.name };
	void backend.deactivateWebhooks(serverOf(site), newRun("run"), form);
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: /^Stop waiting for Webhook deactivation/ }));
	await screen.findByRole("dialog", { name: "Stop waiting for Webhook deactivation on City GIS?" });
	await act(() => backend.stopRun("run"));
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
