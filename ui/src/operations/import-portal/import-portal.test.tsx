import { screen, within } from "@testing-library/react";
import { newRun, type PortalComparison, type Problem, type SiteView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import { queryKeys } from "@/lib/queries/keys";
import { takeSession } from "@/lib/queries/program";
import { axeFindings, confirmStop, fill, renderWith, signedInSite } from "@/test/render";
import { ImportPortal } from "./form";
import { Report } from "./report";
import { Recovery } from "./undo";

const exported = "/backups/Nov-13-2026.portalsite";

const equal: PortalComparison["rows"] = [{ part: { kind: "users" }, portal: 31, export: 31 }];
const different: PortalComparison["rows"] = [
	{ part: { kind: "users" }, portal: 31, export: 30 },
	{ part: { kind: "itemsOfType", name: "web map" }, portal: 208, export: 200 },
];
const compared = (rows: PortalComparison["rows"]): PortalComparison => ({ exportedAt: 1_000, countedAt: 2_000, rows });

/** Site with a portal export that was compared with the portal. */
function withExport(rows = equal) {
	const { site, session, world: signedIn } = signedInSite();
	const world = { ...seed(), ...signedIn };
	note(world, site, "export_portal", { note: exported });
	world.portalComparisons.set(exported, compared(rows));
	return { site, session, world };
}

function show({ site, session, world } = withExport()) {
	return renderWith(<ImportPortal site={site} session={session} />, { world });
}

const location = () => screen.findByLabelText("Path of the file");
const submit = () => screen.getByRole("button", { name: "Replace the portal of City GIS" });

async function fillIn(user: ReturnType<typeof show>["user"]) {
	await fill(user, await location(), exported);
	await fill(user, screen.getByLabelText("Folder of the safety backup"), "/backups");
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await vi.waitFor(() => expect(submit()).toBeEnabled());
}

it("imports after a safety backup, and shows that the content is that of the export", async () => {
	const { user } = show();
	await fillIn(user);
	expect(screen.getByText("The numbers of the portal and of the export are equal.")).toBeVisible();
	await user.click(submit());
	expect(await screen.findByText(/^Imported into the portal of City GIS in/)).toBeVisible();
	expect(
		screen.getByText("The portal has as many items, users, groups, and collaborations as the export."),
	).toBeVisible();
	expect(screen.getByText("/backups/before.portalsite")).toBeVisible();
	expect(screen.getByText(/It was not verified/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("offers to undo an import that failed half way, where it stands", async () => {
	const { site, session, world } = withExport();
	const cause: Problem = { kind: "rejected", code: 500, message: "The disk is full.", details: [] };
	const fail = { importPortal: { kind: "importFailed", cause, record: "r-1", canUndo: true } as const };
	const { user } = renderWith(<ImportPortal site={site} session={session} />, { world, fail });
	await fillIn(user);
	await user.click(submit());
	expect(await screen.findByText(/^The site might be partly replaced\./)).toBeVisible();
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	expect(await screen.findByRole("button", { name: "Undo the import" })).toBeDisabled();
	expect(await axeFindings()).toEqual([]);
});

it("says that an import is not sent, before and after Stop while the portal checks the file", async () => {
	const { site, session, world } = withExport();
	const { user } = renderWith(<ImportPortal site={site} session={session} />, { world, endless: ["importPortal"] });
	await fillIn(user);
	await user.click(submit());
	expect(
		await screen.findByText(/The request has not been sent\. If you stop, the operation ends and nothing is changed\./),
	).toBeVisible();
	expect(screen.queryByText(/might still complete/)).toBeNull();
	await confirmStop(user, "Stop");
	expect(await screen.findByText("Stopped before the request was sent. Nothing was changed on City GIS")).toBeVisible();
});

it("names what differs before the import, and after it", async () => {
	const { user } = show(withExport(different));
	await fillIn(user);
	const before = screen.getByRole("table", { name: "Comparison with the export" });
	expect(within(before).getByRole("row", { name: "Users 31 30" })).toBeVisible();
	expect(within(before).getByRole("row", { name: "Items of type web map 208 200" })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(submit());
	expect(await screen.findByText(/but its content differs from the export$/)).toBeVisible();
	expect(screen.getByText(/^The portal does not have as much as the export/)).toBeVisible();
});

it("fills in the path of an export that the history knows", async () => {
	const { user } = show();
	await user.click(await screen.findByRole("combobox", { name: "Exports of this portal" }));
	await user.click(
		await screen.findByRole("option", { name: /^Nov-13-2026\.portalsite\s· .*\s· version 11\.5\s· 312 items/ }),
	);
	expect(await location()).toHaveValue(exported);
	expect(screen.queryByLabelText(/^Version of the portal/)).toBeNull();
});

it("asks for the version of a file that the history does not know", async () => {
	const { site, session, world } = withExport();
	const why = { kind: "otherVersion", export: "11.3", portal: "11.5" } as const;
	const fail = { importPortal: { kind: "preconditionFailed", why } as const };
	const { user } = renderWith(<ImportPortal site={site} session={session} />, { world, fail });
	await fill(user, await location(), "/other.portalsite");
	const version = await screen.findByLabelText("Version of the portal that wrote the file");
	expect(screen.getByText(/^The app has no inventory of this file/)).toBeVisible();
	await fill(user, version, "11.3");
	await fill(user, screen.getByLabelText("Folder of the safety backup"), "/backups");
	await fill(user, screen.getByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(submit());
	expect(await screen.findByText("The export is of another version")).toBeVisible();
	expect(screen.getByText(/written by version 11.3, and the portal is version 11.5/)).toBeVisible();
});

it("checks the file without an import", async () => {
	const { user, backend } = show();
	const sent = vi.spyOn(backend, "importPortal");
	await fill(user, await location(), exported);
	await user.click(screen.getByRole("button", { name: "Check the file" }));
	expect(await screen.findByText(`The portal can read ${exported}`)).toBeVisible();
	expect(sent.mock.calls[0]?.[2]).toMatchObject({ checkOnly: true, location: exported });
});

it("says why a file cannot be checked where the portal is too old", async () => {
	const { site, session, world } = withExport();
	const tooOld = { kind: "tooOld", needs: "11.1", has: "10.9.1" } as const;
	for (const one of session.operations) {
		if (one.operation === "import_portal") one.parameters = [{ parameter: "validate", reasons: [tooOld] }];
	}
	renderWith(<ImportPortal site={site} session={session} />, { world });
	expect(await screen.findByText(/^The file cannot be checked in advance. Requires portal version 11.1/)).toBeVisible();
	expect(screen.getByRole("button", { name: "Check the file" })).toBeDisabled();
});

it("says that a token lasts an hour where the portal is that old", async () => {
	const { site, session, world } = withExport();
	const backend = fakeBackend({ world });
	const { previewPortalImport } = backend;
	backend.previewPortalImport = async (id) => {
		const summary = await previewPortalImport(id);
		return { ...summary, version: "10.8.1", effects: [...summary.effects, "tokenOfAnHour"] };
	};
	const { user } = renderWith(<ImportPortal site={site} session={session} />, backend);
	await user.click(await screen.findByRole("button", { name: "What every import does" }));
	expect(await screen.findByText(/a token is valid for one hour during an import/)).toBeVisible();
});

/** Site whose portal import ends the session, so that its content is not counted afterwards. */
function endingTheSession() {
	const { site, session, world } = withExport();
	const backend = fakeBackend({ world });
	const { importPortal } = backend;
	backend.importPortal = async (...sent) => {
		const ended = await importPortal(...sent);
		return ended.kind === "done" ? { ...ended, report: { ...ended.report, proof: null } } : ended;
	};
	return { site, session, backend };
}

it("has the content checked after the next sign-in, where the session ended with the import", async () => {
	const { site, session, backend } = endingTheSession();
	const { user } = renderWith(<ImportPortal site={site} session={session} />, backend);
	await fillIn(user);
	await user.click(submit());
	expect(await screen.findByText(/^The content of the portal has not been counted yet/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Check the content" }));
	expect(
		await screen.findByText("The portal has as many items, users, groups, and collaborations as the export."),
	).toBeVisible();
});

it("takes back that a sign-in was missing once the user signed in", async () => {
	const { site, session, backend } = endingTheSession();
	backend.checkPortalImport = () => Promise.reject({ kind: "signIn", site: site.id, server: null } satisfies Problem);
	const sessionOf = vi.spyOn(backend, "session");
	const { user, queries } = renderWith(<ImportPortal site={site} session={session} />, backend);
	await fillIn(user);
	sessionOf.mockResolvedValue(null);
	await queries.invalidateQueries({ queryKey: queryKeys.sessions(site.id) });
	await user.click(submit());
	await user.click(await screen.findByRole("button", { name: "Check the content" }));
	expect(await screen.findByText("Sign in to continue")).toBeVisible();
	expect(screen.getByText(/^The sessions of the portal might have ended/)).toBeVisible();
	sessionOf.mockRestore();
	await takeSession(queries, session);
	await vi.waitFor(() => expect(screen.queryByText("Sign in to continue")).toBeNull());
	expect(screen.queryByText(/^The sessions of the portal might have ended/)).toBeNull();
});

it("warns that nothing undoes an import without a safety backup", async () => {
	const { user } = show();
	await user.click(await screen.findByRole("checkbox", { name: /^Create a safety backup first/ }));
	expect(screen.getByText(/You cannot undo this import with the app/)).toBeVisible();
	expect(screen.queryByLabelText("Folder of the safety backup")).toBeNull();
});

async function imported(site: SiteView, backend: ReturnType<typeof fakeBackend>) {
	await backend.importPortal(site.id, newRun(), {
		location: exported,
		exportVersion: null,
		safetyBackup: "/backups",
		confirmation: "City GIS",
		checkOnly: false,
	});
	const search = {
		text: "",
		site: site.id,
		server: null,
		operation: null,
		username: null,
		outcomes: [],
		from: null,
		to: null,
	};
	const [entry] = (await backend.searchHistory(search, null, 1)).entries;
	if (!entry) throw new Error("the import has no entry");
	return entry;
}

/** Report of an import with a safety backup. */
async function report() {
	const { site, world } = withExport();
	const backend = fakeBackend({ world });
	const form = {
		location: exported,
		exportVersion: null,
		safetyBackup: "/backups",
		confirmation: "City GIS",
		checkOnly: false,
	};
	const ended = await backend.importPortal(site.id, newRun(), form);
	if (ended.kind !== "done" || ended.record === null) throw new Error("the import did not end");
	const done = { ...ended, record: ended.record, run: "run", form, took: 1_000, at: Date.now() };
	return { site, world, record: ended.record, ...renderWith(<Report site={site} done={done} />, backend) };
}

it("no longer says what an import did once it was undone", async () => {
	const { site, backend, record, queries } = await report();
	expect(await screen.findByText(/^Imported into the portal of City GIS in/)).toBeVisible();
	expect(screen.getByText("Content after the import")).toBeVisible();

	await backend.undoPortalImport(site.id, newRun(), record, "City GIS", "/backups");
	await queries.invalidateQueries({ queryKey: queryKeys.history });
	await vi.waitFor(() => expect(screen.queryByText(/^Imported into the portal of City GIS in/)).toBeNull());
	expect(screen.queryByText("Content after the import")).toBeNull();
});

it("keeps what is typed to undo an import when the check of the site begins", async () => {
	const { site, world, record, queries, user } = await report();
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	const typed = await screen.findByLabelText("Enter “City GIS” to undo the import");
	await fill(user, typed, "City");

	const times = { importStartedAt: Date.now(), importEndedAt: Date.now(), nextAt: null, unknownImportAt: null };
	world.siteProofs.set(site.id, { site: site.id, import: record, ...times, isWaiting: true, proof: null });
	await queries.invalidateQueries();
	expect(await screen.findByText("Checking whether the site is back")).toBeInTheDocument();
	expect(screen.getByLabelText("Enter “City GIS” to undo the import")).toHaveValue("City");
});

it("undoes an import from its entry in the history, once the name of the site is typed", async () => {
	const { site, world } = withExport();
	const backend = fakeBackend({ world });
	const dismissed = vi.spyOn(backend, "dismissRun");
	const entry = await imported(site, backend);
	const { user } = renderWith(<Recovery site={site} entry={entry} />, backend);
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	const dialog = await screen.findByRole("dialog");
	const confirm = within(dialog).getByRole("button", { name: "Undo the import" });
	expect(within(dialog).getByLabelText("Folder of the safety backup")).toHaveValue("/backups");
	expect(confirm).toBeDisabled();
	await fill(user, within(dialog).getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	await user.click(confirm);
	expect(await screen.findByText(/^The import was undone: the safety backup was imported/)).toBeVisible();
	// The result is on this page, so the operations panel has no row of it.
	expect(dismissed).toHaveBeenCalledOnce();
	expect(await axeFindings()).toEqual([]);
});

it("shows what the portal returned when the safety backup was written, and when an import was undone", async () => {
	const { site, session, world } = withExport();
	const backend = fakeBackend({ world });
	const { importPortal, undoPortalImport } = backend;
	backend.importPortal = async (...sent) => {
		const ended = await importPortal(...sent);
		if (ended.kind !== "done" || ended.report.safetyBackup === null) return ended;
		const said = { warnings: ["2 items have no content"], further: ["took: 7 min"] };
		const safetyBackup = { ...ended.report.safetyBackup, ...said };
		return { ...ended, report: { ...ended.report, safetyBackup } };
	};
	backend.undoPortalImport = async (...sent) => {
		const ended = await undoPortalImport(...sent);
		if (ended.kind !== "done") return ended;
		const said = { warned: true, messages: ["groupsSkipped: 1"], further: ["indexStatus: pending"] };
		return { ...ended, report: { ...ended.report, ...said } };
	};
	const { user, queries } = renderWith(<ImportPortal site={site} session={session} />, backend);
	await takeSession(queries, session);
	await fillIn(user);
	await user.click(submit());
	expect(await screen.findByText("Warnings about the safety backup")).toBeVisible();
	expect(screen.getByText("2 items have no content")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Further response to the safety backup" }));
	expect(screen.getByText("took: 7 min")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Undo this import" }));
	const dialog = within(await screen.findByRole("dialog"));
	await fill(user, dialog.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	await user.click(dialog.getByRole("button", { name: "Undo the import" }));
	expect(await screen.findByText(/^The import was undone: the safety backup was imported/)).toBeVisible();
	expect(screen.getByText("groupsSkipped: 1")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Further response" }));
	expect(screen.getByText("indexStatus: pending")).toBeVisible();
});

const fewer = { part: { kind: "users" }, portal: 28, export: 30 } as const;
const inventory = { ...seed().portalInventory, users: 28 };
const differing = { inventory, comparison: compared([fewer]) };

it.each([
	["whose portal warned", { warned: true, messages: ["2 items were skipped."] }, "2 items were skipped."],
	["after which the portal differs from the safety backup", { proof: differing }, /^The portal does not have as much/],
])("does not call an undo %s a success", async (_, change, said) => {
	const { site, world } = withExport();
	const backend = fakeBackend({ world });
	const entry = await imported(site, backend);
	const { user } = renderWith(<Recovery site={site} entry={entry} />, {
		...backend,
		undoPortalImport: async (...form) => {
			const end = await backend.undoPortalImport(...form);
			return end.kind === "done" ? { ...end, report: { ...end.report, ...change } } : end;
		},
	});
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	const dialog = within(await screen.findByRole("dialog"));
	await fill(user, dialog.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	await user.click(dialog.getByRole("button", { name: "Undo the import" }));
	expect(await screen.findByText(/^The import was undone: the safety backup was imported/)).toBeVisible();
	expect(screen.getByText("Completed with warnings")).toBeVisible();
	expect(screen.getByText(said)).toBeVisible();
});

it("asks for a folder only while another safety backup is wanted, and hides how the undo ended on request", async () => {
	const { site, world } = withExport();
	const backend = fakeBackend({ world });
	const entry = await imported(site, backend);
	const sent = vi.fn();
	const { user } = renderWith(<Recovery site={site} entry={entry} />, {
		...backend,
		undoPortalImport: async (...form) => {
			sent(form.at(-1));
			return { kind: "unknown", record: "r", stopped: false, problem: null, canUndo: false };
		},
	});
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	const dialog = within(await screen.findByRole("dialog"));
	const confirm = dialog.getByRole("button", { name: "Undo the import" });
	await fill(user, dialog.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	await user.clear(dialog.getByLabelText("Folder of the safety backup"));
	expect(confirm).toBeDisabled();
	await user.click(dialog.getByRole("checkbox", { name: /^Create a safety backup first/ }));
	expect(dialog.queryByLabelText("Folder of the safety backup")).toBeNull();
	await user.click(confirm);
	expect(await screen.findByText(/^Outcome unknown: the import into the portal/)).toBeVisible();
	expect(sent).toHaveBeenCalledExactlyOnceWith(null);
	await user.click(screen.getByRole("button", { name: "Hide the result" }));
	expect(screen.queryByText(/^Outcome unknown/)).toBeNull();
});

it("imports from a blob container where the portal has that, and keeps the key nowhere", async () => {
	const { user, backend } = show();
	const sent = vi.spyOn(backend, "importPortal");
	await fill(user, await location(), exported);
	await user.click(screen.getByRole("button", { name: "Content in object storage" }));
	await user.click(screen.getByText("Blob container"));
	await fill(user, screen.getByLabelText("Container URL"), "https://account.example.net/backups");
	await fill(user, screen.getByLabelText("Account name"), "account");
	await fill(user, screen.getByLabelText("Account key"), "key");
	await fill(user, screen.getByLabelText("Account endpoint"), "example.net");
	await user.click(screen.getByRole("button", { name: "Check the file" }));
	await screen.findByText(`The portal can read ${exported}`);
	expect(sent.mock.calls[0]?.[2].store).toEqual({
		kind: "blob",
		container: "https://account.example.net/backups",
		accountName: "account",
		accountKey: "key",
		accountEndpoint: "example.net",
	});
	// The form has all values again but the key.
	await user.click(screen.getByRole("button", { name: "New import" }));
	expect(await screen.findByLabelText("Account name")).toHaveValue("account");
	expect(screen.getByLabelText("Account key")).toHaveValue("");
});

it("does not offer object storage to a portal that is too old", async () => {
	const { site, session, world } = withExport();
	const tooOld = { kind: "tooOld", needs: "12.0", has: "11.5" } as const;
	for (const one of session.operations) {
		if (one.operation === "import_portal") one.parameters = [{ parameter: "locationConfig", reasons: [tooOld] }];
	}
	renderWith(<ImportPortal site={site} session={session} />, { world });
	expect(await location()).toBeVisible();
	expect(screen.queryByRole("button", { name: "Content in object storage" })).toBeNull();
});

it("compares with the export of another site, as in a rehearsal, and names that site", async () => {
	const { site, session, world } = withExport(different);
	const backend = fakeBackend({ world });
	const { compareWithPortalExport } = backend;
	backend.compareWithPortalExport = async (id, path) => ({
		...(await compareWithPortalExport(id, path)),
		otherSite: "Harbour",
	});
	const { user } = renderWith(<ImportPortal site={site} session={session} />, backend);
	await fill(user, await location(), exported);
	expect(
		await screen.findByText(/^According to the history, the portal of .*Harbour.* wrote this export/),
	).toBeVisible();
	expect(screen.getByRole("table", { name: "Comparison with the export" })).toBeVisible();
	expect(screen.queryByLabelText("Version of the portal that wrote the file")).toBeNull();
});

it("names the portal that wrote the export where it is another one", async () => {
	const { site, session, world } = withExport();
	const backend = fakeBackend({ world });
	const { compareWithPortalExport } = backend;
	backend.compareWithPortalExport = async (id, path) => ({
		...(await compareWithPortalExport(id, path)),
		otherUrl: "https://old.example.org/portal",
	});
	const { user } = renderWith(<ImportPortal site={site} session={session} />, backend);
	await fill(user, await location(), exported);
	expect(await screen.findByText(/^The export was written by .*old\.example\.org/)).toBeVisible();
});
