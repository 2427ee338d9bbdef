import { screen, waitFor, within } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import type { World } from "@/bridge/fake-backend/world";
import { production, session } from "@/test/forms-and-dialogs";
import { axeFindings, fill, renderWith } from "@/test/render";
import { ImportServer } from "./form";
import { UndoImport } from "./undo-import";

const image = "gis.example.org/image";
/** Three servers have the same host. The second is the current one. */
const site = { ...production, currentServer: "second" };

function worldOf(change: Partial<World> = {}): World {
	return { ...seed(), sites: [site], sessions: new Map([[site.id, session]]), history: [], ...change };
}

async function show(change: Partial<World> = {}, backend = fakeBackend({ world: worldOf(change) })) {
	const view = renderWith(<ImportServer site={site} />, backend);
	await view.user.click(await screen.findByText("Path on the server"));
	await fill(view.user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	return { ...view, backend };
}

const replace = () => screen.getByRole("button", { name: `Replace ${image} of City GIS` });

test.each(["City GIS", "gis.example.org/server"])(
	"of three servers behind one host, %s does not confirm that another is replaced",
	async (typed) => {
		const { user } = await show();
		expect(screen.getByRole("region", { name: `Replace ${image} of City GIS?` })).toBeVisible();
		const field = await screen.findByLabelText(`Enter “${image}” to confirm`);
		await fill(user, field, typed);
		expect(field).toHaveAccessibleDescription(`Differs: this page replaces ${image} of City GIS.`);
		expect(replace()).toBeDisabled();
		expect(await axeFindings()).toEqual([]);

		await fill(user, field, image);
		expect(field).toHaveAccessibleDescription("Matches.");
		await waitFor(() => expect(replace()).toBeEnabled());
	},
);

test("the question says what is replaced, how long it took last time, and how to undo it", async () => {
	const world = worldOf();
	const startedAt = Date.now() - 86_400_000;
	note(world, site, "import_server", { server: "second", startedAt, endedAt: startedAt + 19 * 60_000 });
	const { user } = await show({ history: world.history });
	const question = screen.getByRole("region", { name: `Replace ${image} of City GIS?` });
	expect(question).toHaveTextContent(
		`The configuration of ${image} of City GIS is replaced. Its services might be unavailable`,
	);
	expect(await within(question).findByText(/Last time, the import took 19 min/)).toBeVisible();
	expect(question).toHaveTextContent("You can undo it with the safety backup.");
	await user.click(screen.getByLabelText(/^Create a safety backup first/));
	expect(question).not.toHaveTextContent("You can undo it with the safety backup.");
});

test("a file of another server leads back to the choice of the file", async () => {
	const otherServer = { site: site.id, server: "third", siteName: site.name, serverName: "gis.example.org/geo" };
	const backend = fakeBackend({ world: worldOf() });
	const { compareWithExport } = backend;
	backend.compareWithExport = async (...file) => ({ ...(await compareWithExport(...file)), otherServer });
	const { user } = await show({}, backend);
	await user.click(await screen.findByRole("button", { name: "Change file…" }));
	expect(screen.getByRole("radio", { name: "Path on the server" })).toHaveFocus();
});

test("nothing is said of the duration where the history has no import that ended well", async () => {
	const world = worldOf();
	note(world, site, "import_server", { server: "second", outcome: "failed" });
	note(world, site, "import_server", { server: "server" });
	await show({ history: world.history });
	expect(screen.getByRole("region", { name: `Replace ${image} of City GIS?` })).not.toHaveTextContent("Last time");
});

test("the undo of an import of another server than the current one asks for the name of that server", async () => {
	const world = worldOf();
	const { id } = note(world, site, "import_server", { server: "third", hasSafetyBackup: true });
	const { user } = renderWith(
		<UndoImport site={site} server="third" target="gis.example.org/geo of City GIS" record={id} />,
		{ world },
	);
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	const dialog = within(await screen.findByRole("dialog"));
	const confirm = dialog.getByRole("button", { name: "Undo the import" });
	const field = dialog.getByLabelText("Enter “gis.example.org/geo” to undo the import");
	await fill(user, field, image);
	expect(confirm).toBeDisabled();
	await fill(user, field, "gis.example.org/geo");
	expect(confirm).toBeEnabled();
});

test("the undo of an import of another server than the current one asks nothing about the current one", async () => {
	const { second: _, ...importAddresses } = site.importAddresses;
	const adaptor = { ...site, importAddresses };
	const world = worldOf({ sites: [adaptor] });
	const { id } = note(world, adaptor, "import_server", { server: "third", hasSafetyBackup: true });
	const { user } = renderWith(
		<UndoImport site={adaptor} server="third" target="gis.example.org/geo of City GIS" record={id} />,
		{ world },
	);
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	const dialog = within(await screen.findByRole("dialog"));
	expect(dialog.queryByLabelText("Administration URL")).toBeNull();
	await fill(user, dialog.getByLabelText("Enter “gis.example.org/geo” to undo the import"), "gis.example.org/geo");
	expect(dialog.getByRole("button", { name: "Undo the import" })).toBeEnabled();
});

test("the undo of an import of another server than the current one asks for the administration URL of that server", async () => {
	const { third: _, ...importAddresses } = site.importAddresses;
	const adaptor = { ...site, importAddresses };
	const world = worldOf({ sites: [adaptor] });
	const { id } = note(world, adaptor, "import_server", { server: "third", hasSafetyBackup: true });
	const backend = fakeBackend({ world });
	const saved = vi.spyOn(backend, "saveSite");
	const { user } = renderWith(
		<UndoImport site={adaptor} server="third" target="gis.example.org/geo of City GIS" record={id} />,
		backend,
	);
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	const dialog = within(await screen.findByRole("dialog"));
	expect(dialog.getByText(/https:\/\/gis\.example\.org\/geo/)).toBeVisible();
	await fill(user, dialog.getByLabelText("Enter “gis.example.org/geo” to undo the import"), "gis.example.org/geo");
	expect(dialog.getByRole("button", { name: "Undo the import" })).toBeDisabled();

	const adminUrl = "https://geo01.example.org:6443/arcgis";
	await fill(user, dialog.getByLabelText("Administration URL"), adminUrl);
	await user.click(dialog.getByRole("button", { name: "Save" }));

	await waitFor(() => expect(saved).toHaveBeenCalled());
	const servers = saved.mock.calls[0]?.[0].servers ?? [];
	expect(servers.map((server) => [server.id, server.adminUrl])).toEqual([
		["server", ""],
		["second", ""],
		["third", adminUrl],
	]);
});

test("what does not run after the undo of an import of another server is looked for there", async () => {
	const world = worldOf();
	const { id } = note(world, site, "import_server", { server: "third", hasSafetyBackup: true });
	const backend = fakeBackend({ world });
	const { undoImport } = backend;
	const notRunning = [{ service: "Roads.FeatureServer", state: "STOPPED" }];
	const check = { checkedAt: 1, services: 3, shouldRun: 3, running: 2, notRunning, unknown: 0, unlisted: [] };
	const proof = { check, later: [], servicesBefore: 3, lost: [] };
	backend.undoImport = async (...sent) => {
		const ended = await undoImport(...sent);
		return ended.kind === "done" ? { ...ended, report: { ...ended.report, proof } } : ended;
	};
	const read = vi.spyOn(backend, "serviceData");
	const { user } = renderWith(
		<UndoImport site={site} server="third" target="gis.example.org/geo of City GIS" record={id} />,
		backend,
	);
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	const dialog = within(await screen.findByRole("dialog"));
	await fill(user, dialog.getByLabelText("Enter “gis.example.org/geo” to undo the import"), "gis.example.org/geo");
	await user.click(dialog.getByRole("button", { name: "Undo the import" }));
	await user.click(await screen.findByRole("button", { name: /^Read required items from the manifest/ }));
	expect(read).toHaveBeenCalledWith({ site: site.id, server: "third" }, "Roads.FeatureServer");
});
