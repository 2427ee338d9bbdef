import { screen, waitFor, within } from "@testing-library/react";
import type { HistoryEntry } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { textParts } from "@/bridge/fake-backend/history";
import { practiceExports } from "@/bridge/fake-backend/world";
import { NavigationProvider } from "@/lib/navigation";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { HistoryPage } from "./history-page";

// The list renders only visible rows, and elements have no size in this environment.
beforeEach(() => {
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(48);
});
afterEach(() => {
	vi.restoreAllMocks();
});

const { site, world } = signedInSite();
const saved = "/home/sam/Documents/city.agssite";

function exported(operation: "export_server" | "export_portal", note: string): HistoryEntry {
	return {
		id: "r1",
		site: site.id,
		server: operation === "export_server" ? site.currentServer : null,
		serverName: null,
		siteName: site.name,
		operation,
		username: "gisadmin",
		startedAt: 1_000,
		endedAt: 2_000,
		parameters: [],
		outcome: "succeeded",
		summary: null,
		note,
		upload: null,
		noteParts: textParts(note),
		hasReport: false,
		elapsed: 1_000,
		siteVersion: "11.5",
		programVersion: "0.1.0",
		systemUser: "pat",
		computer: "gis-desk",
		hasCommand: true,
		hasSafetyBackup: false,
		isResolved: false,
		reason: "",
		batch: null,
	};
}

async function open(entry: HistoryEntry, options: MemoryOptions = {}) {
	const shown = renderWith(
		<NavigationProvider>
			<HistoryPage sites={[site]} />
		</NavigationProvider>,
		{
			...options,
			world: {
				...world,
				history: [entry],
				exportFiles: new Map([[entry.id, entry.noteParts[0]?.text ?? ""]]),
				...options.world,
			},
		},
	);
	const rows = within(await screen.findByRole("grid", { name: "History" })).getAllByRole("row");
	await shown.user.click(rows.at(-1) as HTMLElement);
	return shown;
}

const file = async () => within(await screen.findByRole("region", { name: /^File of this export/ }));

test("the file of an export is verified again at its entry, and the result stays there", async () => {
	const { user } = await open(exported("export_server", saved));
	expect((await file()).getByText(saved)).toBeVisible();
	await user.click((await file()).getByRole("button", { name: "Verify file" }));
	expect(await screen.findByText("Verified: 431 entries, and every checksum matches.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Close" }));
	const rows = within(screen.getByRole("grid", { name: "History" })).getAllByRole("row");
	await user.click(rows.at(-1) as HTMLElement);
	expect((await file()).getByText("Verified: 431 entries, and every checksum matches.")).toBeVisible();
});

test("an export is looked into from its entry", async () => {
	const { user } = await open(exported("export_server", saved));
	await user.click((await file()).getByRole("button", { name: "Look into the export" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Entries of the export file" }));
	expect(dialog.getByText("services/Roads.MapServer.json")).toBeVisible();
});

test("a file that was changed since the export is said, and is not called an incomplete one", async () => {
	const changed = {
		size: 1,
		entries: 0,
		unverifiedEntries: 0,
		isRecognized: true,
		fault: "changed",
		usualSize: null,
	} as const;
	const { user } = await open(exported("export_server", saved), { world: { exportVerification: changed } });
	await user.click((await file()).getByRole("button", { name: "Verify file" }));
	expect(await screen.findByRole("alert", { name: "The file was changed after the export" })).toBeVisible();
	expect(screen.queryByText(/not a complete export/)).toBeNull();
});

test("a file that is gone is said at once, also if it went while the entry was open", async () => {
	const goneFiles = new Set<string>();
	const { user } = await open(exported("export_server", saved), { world: { goneFiles } });
	const button = (await file()).getByRole("button", { name: "Verify file" });
	goneFiles.add(saved);
	await user.click(button);
	const gone = await screen.findByRole("region", { name: "The file of this export is no longer there" });
	expect(within(gone).getByText(saved)).toBeVisible();
	expect(within(gone).queryByRole("button")).toBeNull();
});

test("the verification of a large file is stopped where it is shown, and nothing else is", async () => {
	const options = { endless: ["verifyRecordedExport"] } as const;
	const { user, backend } = await open(exported("export_server", saved), options);
	await user.click((await file()).getByRole("button", { name: "Verify file" }));
	expect(await screen.findByText("Verifying the export file: 107.3 MB of 214.6 MB read")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Stop" }));
	expect(await screen.findByText("The check was stopped. Nothing was changed.")).toBeVisible();
	await waitFor(async () => expect((await backend.listRuns()).running).toEqual([]));
});

test("a verification that began before the window was loaded again is shown at its entry, and can be stopped", async () => {
	const entry = exported("export_server", saved);
	const other = { ...exported("export_portal", `${practiceExports}/portal.portalsite`), id: "r0" };
	const files = [entry, other].map((one) => [one.id, one.note] as const);
	const before = fakeBackend({
		world: { ...world, history: [entry, other], exportFiles: new Map(files) },
		endless: ["verifyRecordedExport"],
	});
	void before.verifyRecordedExport(site.id, "before", entry.id);
	const { user } = renderWith(
		<NavigationProvider>
			<HistoryPage sites={[site]} />
		</NavigationProvider>,
		before,
	);
	const row = async (at: number) =>
		within(await screen.findByRole("grid", { name: "History" }))
			.getAllByRole("row")
			.at(at) as HTMLElement;
	await user.click(await row(-2));
	expect(await screen.findByText("Verifying the export file: 107.3 MB of 214.6 MB read")).toBeVisible();
	expect((await file()).getByRole("button", { name: "Verify file" })).toBeDisabled();
	await user.click(await row(-1));
	await waitFor(async () => expect((await file()).getByRole("button", { name: "Verify file" })).toBeEnabled());
	await user.click(await row(-2));
	await user.click(await screen.findByRole("button", { name: "Stop" }));
	await waitFor(async () => expect((await before.listRuns()).running).toEqual([]));
	await waitFor(async () => expect((await file()).getByRole("button", { name: "Verify file" })).toBeEnabled());
});

test("of a portal export that the practice site wrote, it is said that no checksum was recorded", async () => {
	const { user } = await open(exported("export_portal", `${practiceExports}/portal.portalsite`));
	await user.click((await file()).getByRole("button", { name: "Verify file" }));
	expect(await screen.findByText(/^The site wrote this file itself/)).toBeVisible();
});

test("an export in a folder of another machine offers nothing that cannot work", async () => {
	await open(exported("export_server", "/srv/backup/city.agssite"));
	expect(await screen.findByRole("button", { name: /audit package/i })).toBeVisible();
	expect(screen.queryByRole("button", { name: "Verify file" })).toBeNull();
});
