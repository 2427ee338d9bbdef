import { act, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import type { Backend, HistoryEntry, ImportReport, RunResult } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import type { World } from "@/bridge/fake-backend/world";
import { Leaving } from "@/test/leaving";
import { pastOf } from "@/test/past";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { UndoImport } from "./undo-import";

/** Opens a site after a server import. `since` adds later changes. */
function show(since: (world: World) => void = () => {}, changes: (backend: Backend) => Partial<Backend> = () => ({})) {
	const { site, world: signedIn } = signedInSite();
	const world: World = { ...seed(), ...signedIn, history: [] };
	note(world, site, "deactivate_webhooks", { note: "before the import" });
	const imported = note(world, site, "import_server", { hasSafetyBackup: true });
	since(world);
	const backend = fakeBackend({ world });
	const page = (
		<Leaving>
			<UndoImport site={site} target={site.name} record={imported.id} />
		</Leaving>
	);
	const view = renderWith(page, { ...backend, ...changes(backend) });
	return { ...view, imported };
}

const { site } = signedInSite();

function deactivated(world: World, service: string): HistoryEntry {
	return note(world, site, "deactivate_webhooks", { note: service });
}

async function open(user: ReturnType<typeof show>["user"]) {
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	return screen.findByRole("dialog", { name: "Undo the import into City GIS?" });
}

it("lists what was recorded on the server since the import, newest first", async () => {
	const { user } = show((world) => {
		deactivated(world, "Water/Mains.FeatureServer");
		note(world, site, "export_server", { note: "an export changes nothing" });
		note(world, site, "reactivate_webhooks", { note: "Hosted/Hydrants.FeatureServer" });
	});
	const dialog = await open(user);
	const title = "2 changes were recorded since the import. They are undone too:";
	const list = await within(dialog).findByRole("list", { name: title });
	const items = within(list).getAllByRole("listitem");
	expect(items).toHaveLength(2);
	expect(items[0]).toHaveTextContent(/Hosted\/Hydrants\.FeatureServer$/);
	expect(items[1]).toHaveTextContent(/Water\/Mains\.FeatureServer$/);
	expect(dialog).toHaveTextContent("Webhooks that were deactivated since the import might become active again.");
	expect(dialog).toHaveTextContent("Changes made without this app are not recorded. They might be undone too.");
	expect(await axeFindings()).toEqual([]);
});

it("names a handful of many changes, and says how many there are", async () => {
	const { user } = show((world) => {
		for (const number of [1, 2, 3, 4, 5, 6, 7]) deactivated(world, `Service${number}.GPServer`);
	});
	const dialog = await open(user);
	await within(dialog).findByText("7 changes were recorded since the import. They are undone too:");
	expect(within(dialog).getAllByRole("listitem")).toHaveLength(5);
	expect(dialog).toHaveTextContent("The history shows 2 more changes.");
});

it("says that nothing was recorded since the import", async () => {
	const { user } = show();
	const dialog = await open(user);
	await within(dialog).findByText("No changes were recorded since the import.");
	expect(within(dialog).queryByRole("list")).toBeNull();
	expect(dialog).not.toHaveTextContent("become active again");
});

async function undo(user: ReturnType<typeof show>["user"]) {
	await fill(user, screen.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Undo the import" }));
}

it("creates a safety backup first unless that is cleared, and says that the undo can be undone", async () => {
	const { user, backend } = show();
	await open(user);
	expect(screen.getByRole("checkbox", { name: /^Create a safety backup first/ })).toBeChecked();
	await undo(user);
	expect(await screen.findByText(/You can undo the undo from its history entry/)).toBeVisible();
	expect((await pastOf(backend))[0]).toMatchObject({ operation: "import_server", hasSafetyBackup: true });
	expect(await axeFindings()).toEqual([]);
});

it("creates no safety backup where that was cleared", async () => {
	const { user, backend } = show();
	await open(user);
	await user.click(screen.getByRole("checkbox", { name: /^Create a safety backup first/ }));
	await undo(user);
	await waitFor(async () => expect((await pastOf(backend))[0]).toMatchObject({ hasSafetyBackup: false }));
	await screen.findByText(/^The import was undone/);
	expect(screen.queryByText(/You can undo the undo/)).toBeNull();
});

it("does not call an import undone whose undo was undone", async () => {
	const undoes = (value: string) => ({ hasSafetyBackup: true, parameters: [{ name: "undoes", value }] });
	const { user } = show((world) => {
		const first = note(world, site, "import_server", undoes(world.history[0]?.id ?? ""));
		note(world, site, "import_server", undoes(first.id));
	});
	const dialog = await open(user);
	await within(dialog).findByText("2 changes were recorded since the import. They are undone too:");
	expect(screen.queryByText(/was undone already/)).toBeNull();
});

it("finds the undo behind newer imports that name the import in their texts", async () => {
	show((world) => {
		const id = world.history[0]?.id ?? "";
		note(world, site, "import_server", { parameters: [{ name: "undoes", value: id }] });
		for (let n = 0; n < 60; n += 1) note(world, site, "import_server", { note: `after ${id}` });
	});
	expect(await screen.findByRole("button", { name: "Import the safety backup again" })).toBeVisible();
});

it("says why the changes since the import cannot be listed", async () => {
	const { user } = show(undefined, () => ({
		previewUndo: async () => {
			throw { kind: "preconditionFailed", why: { kind: "otherServer", server: "Imagery" } };
		},
	}));
	const dialog = await open(user);
	expect(await within(dialog).findByText(/on the server “Imagery”/)).toBeVisible();
});

const press = async (user: ReturnType<typeof show>["user"], name: string) =>
	user.click(await screen.findByRole("button", { name }));

it("says to whoever comes back that the undo runs, and what became of it, until that is hidden", async () => {
	let answer: (ended: RunResult<ImportReport>) => void = () => {};
	const { user } = show(undefined, () => ({ undoImport: () => new Promise((resolve) => (answer = resolve)) }));
	await open(user);
	await undo(user);
	await press(user, "Leave");
	await press(user, "Enter");
	expect(screen.getByRole("button", { name: "Undo this import" })).toBeDisabled();
	await press(user, "Leave");
	await act(async () => answer({ kind: "unknown", record: null, stopped: false, problem: null, canUndo: false }));
	for (const round of ["meanwhile", "since"]) {
		await press(user, "Enter");
		expect(await screen.findByRole("status", { name: "Not recorded in the history" }), round).toBeVisible();
		expect(await axeFindings()).toEqual([]);
		await press(user, "Leave");
	}
	await press(user, "Enter");
	await press(user, "Hide the result");
	expect(screen.queryByRole("status", { name: "Not recorded in the history" })).toBeNull();
});

it("keeps saying that an import was undone where the history could not", async () => {
	const counts = { errors: 0, failedServices: 0, warnings: 0, notes: 0 };
	const report = { status: "success", counts, sources: [], safetyBackup: null, proof: null, reactivated: null };
	const done = { kind: "done" as const, record: null, at: Date.now(), took: 10, report };
	const { user } = show(undefined, () => ({ undoImport: async () => done }));
	await open(user);
	await undo(user);
	expect(await screen.findByText(/^The import was undone/)).toBeVisible();
	await press(user, "Leave");
	await press(user, "Enter");
	expect(await screen.findByText(/^The import was undone/)).toBeVisible();
	expect(screen.queryByRole("button", { name: "Undo this import" })).toBeNull();
});

it("does not call an import undone once its undo was undone beside it", async () => {
	const { world: signedIn } = signedInSite();
	const world: World = { ...seed(), ...signedIn, history: [] };
	const imported = note(world, site, "import_server", { hasSafetyBackup: true });
	const { user, backend } = renderWith(<UndoOf record={imported.id} />, { world });
	await open(user);
	await undo(user);
	await screen.findByText(/^The import was undone/);
	await user.clear(screen.getByLabelText("Import"));
	await user.type(screen.getByLabelText("Import"), (await pastOf(backend))[0]?.id ?? "");
	await open(user);
	await undo(user);
	await screen.findByText(/^The import was undone/);
	await user.clear(screen.getByLabelText("Import"));
	await user.type(screen.getByLabelText("Import"), imported.id);
	expect(await screen.findByRole("button", { name: "Undo this import" })).toBeVisible();
	await waitFor(() => expect(screen.queryByText(/^The import was undone/)).toBeNull());
});

/** Undo whose import can be exchanged. */
function UndoOf({ record: first }: { record: string }) {
	const [record, setRecord] = useState(first);
	return (
		<>
			<input aria-label="Import" value={record} onChange={(event) => setRecord(event.currentTarget.value)} />
			<UndoImport key={record} site={site} target={site.name} record={record} />
		</>
	);
}

it("asks for the administration URL before an undo that would pass a web adaptor, or goes on where that is selected", async () => {
	const { site, world: signedIn } = signedInSite();
	const adaptor = { ...site, importAddresses: {} };
	const world: World = { ...seed(), ...signedIn, sites: [adaptor], history: [] };
	const imported = note(world, adaptor, "import_server", { hasSafetyBackup: true });
	const backend = fakeBackend({ world });
	const sent = vi.spyOn(backend, "undoImport");
	const { user } = renderWith(<UndoImport site={adaptor} target={site.name} record={imported.id} />, backend);
	const dialog = await open(user);
	const box = within(dialog).getByLabelText("Import through the web adaptor");
	expect(box).toHaveAccessibleDescription(/time limits.*the outcome of the import is unknown/);
	await fill(user, within(dialog).getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	expect(within(dialog).getByRole("button", { name: "Undo the import" })).toBeDisabled();
	expect(await axeFindings()).toEqual([]);

	await user.click(box);
	await user.click(within(dialog).getByRole("button", { name: "Undo the import" }));

	expect(await screen.findByText(/^The import was undone/)).toBeVisible();
	expect(sent.mock.calls[0]?.[4]).toEqual({ secure: true, throughWebAdaptor: true });
});
