import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Backend, HistoryEntry } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import type { World } from "@/bridge/fake-backend/world";
import { pastOf } from "@/test/past";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { UndoImport } from "./undo-import";

/** A site whose server was imported; `since` is what happened there afterwards. */
function show(since: (world: World) => void = () => {}, changes: (backend: Backend) => Partial<Backend> = () => ({})) {
	const { site, world: signedIn } = signedInSite();
	const world: World = { ...seed(), ...signedIn, history: [] };
	note(world, site, "deactivate_webhooks", { note: "before the import" });
	const imported = note(world, site, "import_server", { hasSafetyBackup: true });
	since(world);
	const backend = fakeBackend({ world });
	const view = renderWith(<UndoImport site={site} record={imported.id} />, { ...backend, ...changes(backend) });
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
	const title = "2 changes to this server were recorded since the import. They are undone too:";
	const list = await within(dialog).findByRole("list", { name: title });
	const items = within(list).getAllByRole("listitem");
	expect(items).toHaveLength(2);
	expect(items[0]).toHaveTextContent(/Hosted\/Hydrants\.FeatureServer$/);
	expect(items[1]).toHaveTextContent(/Water\/Mains\.FeatureServer$/);
	expect(dialog).toHaveTextContent("Webhooks that were deactivated since the import become active again.");
	expect(dialog).toHaveTextContent("Changes made without this app are not recorded. They are undone too.");
	expect(await axeFindings()).toEqual([]);
});

it("names a handful of many changes, and says how many there are", async () => {
	const { user } = show((world) => {
		for (const number of [1, 2, 3, 4, 5, 6, 7]) deactivated(world, `Service${number}.GPServer`);
	});
	const dialog = await open(user);
	await within(dialog).findByText("7 changes to this server were recorded since the import. They are undone too:");
	expect(within(dialog).getAllByRole("listitem")).toHaveLength(5);
	expect(dialog).toHaveTextContent("The history shows 2 more changes.");
});

it("says that nothing was recorded since the import", async () => {
	const { user } = show();
	const dialog = await open(user);
	await within(dialog).findByText("No changes to this server were recorded since the import.");
	expect(within(dialog).queryByRole("list")).toBeNull();
	expect(dialog).not.toHaveTextContent("become active again");
});

async function undo(user: ReturnType<typeof show>["user"]) {
	await user.type(screen.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
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
	await within(dialog).findByText("2 changes to this server were recorded since the import. They are undone too:");
	expect(screen.queryByText(/was undone already/)).toBeNull();
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
