import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Comparison, Difference } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import type { World } from "@/bridge/fake-backend/world";
import { useDroppedFiles } from "@/lib/dropped-file";
import { serverOf } from "@/lib/target";
import { Leaving } from "@/test/leaving";
import { axeFindings, fill, renderWith, signedInPractice, signedInSite } from "@/test/render";
import { ImportServer } from "./form";

const upload = "i1f3a9c04";
const file = "Nov-13-2026_02-00-07.agssite";

const gone = (name: string): Difference => ({
	kind: "services",
	name,
	change: "missing",
	onSite: "STARTED",
	inExport: "",
});

function comparison(changes: Partial<Comparison> = {}): Comparison {
	return {
		exportTakenAt: Date.now() - 12 * 24 * 3_600_000,
		differences: [
			gone("Parcels/Zoning.MapServer"),
			gone("Water/Mains.MapServer"),
			{
				kind: "webhooks",
				name: "Hydrants.FeatureServer: archive",
				change: "differs",
				onSite: "active",
				inExport: "inactive",
			},
		],
		notCompared: [],
		...changes,
	};
}

async function chosen(comparisons: [string, Comparison][], more: Partial<World> = {}) {
	const { site, world } = signedInSite();
	const shown = renderWith(<ImportServer site={site} />, {
		world: { ...world, comparisons: new Map(comparisons), ...more },
	});
	await shown.user.click(await screen.findByPlaceholderText("Select a file"));
	await shown.user.click(await screen.findByRole("option", { name: new RegExp(file), hidden: true }));
	return shown.user;
}

it("says what will disappear before the import, and again where it is confirmed", async () => {
	const user = await chosen([[upload, comparison()]]);
	const section = await screen.findByRole("region", { name: "Comparison with the export" });
	expect(within(section).getByRole("status")).toHaveTextContent("2 services will disappear, 1 webhook will change");
	expect(within(section).getByText(/12 days ago/)).toBeVisible();
	expect(screen.getByText("2 services of the server will disappear.")).toBeVisible();
	const rowOf = (name: string) => within(section).getByText(name).closest("tr");
	expect(rowOf("Parcels/Zoning.MapServer")).toHaveTextContent(/Disappears.*STARTED.*Not in the export/);
	expect(rowOf("Hydrants.FeatureServer: archive")).toHaveTextContent(/Changes.*active.*inactive/);
	expect(await axeFindings()).toEqual([]);

	await user.click(within(section).getByRole("combobox", { name: "Kind" }));
	await user.click(await screen.findByRole("option", { name: "Webhooks" }));
	expect(within(section).queryByText("Parcels/Zoning.MapServer")).toBeNull();
	expect(within(section).getByText("Hydrants.FeatureServer: archive")).toBeVisible();
});

it("replaces as many services as were compared, and gives no number where not all of them were listed", async () => {
	for (const [services, text] of [
		[105, "The import replaces 105 services"],
		[null, null],
	] as const) {
		const { site, world } = signedInSite();
		const { backend, user, unmount } = renderWith(<ImportServer site={site} />, {
			world: { ...world, comparisons: new Map([[upload, comparison()]]) },
		});
		await screen.findByText(/The import replaces/);
		const { compareWithExport } = backend;
		// Services were published after the form was opened.
		backend.compareWithExport = async (...asked) => ({ ...(await compareWithExport(...asked)), services });
		await user.click(screen.getByPlaceholderText("Select a file"));
		await user.click(await screen.findByRole("option", { name: new RegExp(file), hidden: true }));
		await screen.findByRole("region", { name: "Comparison with the export" });
		const told = screen.queryByText(/The import replaces/);
		if (text === null) expect(told).toBeNull();
		else expect(told).toHaveTextContent(text);
		unmount();
	}
});

it("lists what this app changed on the server since the export, which the import undoes", async () => {
	const { site, world } = signedInSite();
	const full = { ...seed(), ...world, comparisons: new Map([[upload, comparison()]]), history: [] } as World;
	note(full, site, "deactivate_webhooks");
	const shown = renderWith(<ImportServer site={site} />, { world: full });
	await shown.user.click(await screen.findByPlaceholderText("Select a file"));
	await shown.user.click(await screen.findByRole("option", { name: new RegExp(file), hidden: true }));
	const list = await screen.findByRole("list", {
		name: "This app recorded 1 change to this server since the export:",
	});
	expect(within(list).getByText(/Webhook deactivation/)).toBeVisible();
});

it("says that nothing is known in advance where the export has no inventory", async () => {
	await chosen([]);
	expect(await screen.findByText(/^The app has no inventory of this export/)).toBeVisible();
	expect(screen.queryByText(/will disappear/)).toBeNull();
});

it("shows the contents of a file without an inventory, as far as its directory was read", async () => {
	const { site, world } = signedInSite();
	const folders = [
		{ name: "services", entries: 400 },
		{ name: "settings", entries: 12 },
	];
	const contents = new Map([[upload, { entries: 431, folders, isRecognized: true }]]);
	const { user } = renderWith(<ImportServer site={site} />, { world: { ...world, contents } });
	await user.click(await screen.findByPlaceholderText("Select a file"));
	await user.click(await screen.findByRole("option", { name: new RegExp(file), hidden: true }));
	expect(await screen.findByText(/^The app has no inventory of this export/)).toBeVisible();
	expect(
		screen.getByText("The export file has 431 entries. Largest folders: services (400) and settings (12)."),
	).toBeVisible();
});

it("says of a file without an inventory that it is not recognized as a server export", async () => {
	const { site, world } = signedInSite();
	const contents = new Map([[upload, { entries: 2, folders: [{ name: "content", entries: 1 }], isRecognized: false }]]);
	const { user } = renderWith(<ImportServer site={site} />, { world: { ...world, contents } });
	await user.click(await screen.findByPlaceholderText("Select a file"));
	await user.click(await screen.findByRole("option", { name: new RegExp(file), hidden: true }));
	expect(await screen.findByText("Not recognized as a server export")).toBeVisible();
});

it("says of a file whose path on the server is typed that it was never here, once it is typed", async () => {
	const path = "/exports/Nov-13-2026_02-00-07.agssite";
	const { site, world } = signedInSite();
	const shown = renderWith(<ImportServer site={site} />, { world });
	const compared = vi.spyOn(shown.backend, "compareWithExport");
	await shown.user.click(await screen.findByRole("radio", { name: "Path on the server" }));
	await shown.user.type(await screen.findByLabelText(/^Path of the file on the server/), path);
	expect(await screen.findByText(/^This file was never on this computer/)).toBeVisible();
	expect(compared).toHaveBeenLastCalledWith(serverOf(site), { kind: "path", path });
	expect(compared.mock.calls.length).toBeLessThan(path.length);
});

it("compares a file of this computer before it is uploaded, and sends nothing", async () => {
	const { site, world } = signedInSite();
	const path = "/backups/set-1/City.agssite";
	function Give() {
		const { give } = useDroppedFiles();
		return (
			<button type="button" onClick={() => give({ path, name: "City.agssite", kind: "siteFile" })}>
				Give
			</button>
		);
	}
	const { user, backend } = renderWith(
		<>
			<ImportServer site={site} />
			<Give />
		</>,
		{ world: { ...world, comparisons: new Map([[path, comparison()]]) } },
	);
	const uploaded = vi.spyOn(backend, "uploadForImport");
	await user.click(await screen.findByRole("button", { name: "Give" }));
	const section = await screen.findByRole("region", { name: "Comparison with the export" });
	expect(within(section).getByRole("status")).toHaveTextContent("2 services will disappear, 1 webhook will change");
	expect(screen.getByText("Upload the file first.")).toBeVisible();
	expect(uploaded).not.toHaveBeenCalled();
});

it("says that an inventory beside the file is of other content, and compares nothing", async () => {
	await chosen([], { noInventory: "ofOtherContent" });
	expect(await screen.findByText(/^The inventory beside the file belongs to other content/)).toBeVisible();
	expect(screen.queryByRole("region", { name: "Comparison with the export" })).toBeNull();
});

it("says that an inventory was read from a file that anyone might have changed", async () => {
	await chosen([[upload, comparison()]], { inventoryIsBeside: true });
	expect(await screen.findByText(/^The inventory was read from the file beside the export\./)).toBeVisible();
});

it("warns in red of an export of another server, once, where the import is confirmed", async () => {
	const exportedFrom = { site: "elsewhere", server: "second", siteName: "Practice", serverName: "gisapp02" };
	await chosen([[upload, comparison()]], { exportedFrom });
	const title = "This file is from another server: gisapp02 of Practice";
	const warning = await screen.findByRole("status", { name: title });
	expect(warning).toHaveTextContent(/Its import gives .+ the services, webhooks, and data store items/);
	expect(screen.getAllByText(title)).toHaveLength(1);
	expect(within(screen.getByRole("region", { name: "Replace City GIS?" })).getByText(title)).toBeVisible();
	expect(warning.style.getPropertyValue("--notice-tone")).toBe("var(--tone-failed)");
});

it("names the part that could not be compared, and does not say that nothing of it disappears", async () => {
	const notCompared = [{ kind: "services", name: "", reason: "You do not have permissions." }] as const;
	await chosen([[upload, comparison({ differences: [], notCompared: [...notCompared] })]]);
	expect(await screen.findByText(/^Services, .+: You do not have permissions\.$/)).toBeVisible();
	expect(screen.getByText("Not compared completely: Services")).toBeVisible();
	expect(screen.queryByText(/will disappear/)).toBeNull();
	expect(screen.queryByText(/^No (differences|changes)/)).toBeNull();
	const incomplete = screen.getByRole("status", { name: "Not compared, and might differ" });
	expect(within(incomplete).getByRole("button", { name: "Compare again" })).toBeVisible();
});

it("waits with the import for a comparison that is running", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world: { ...world, comparisons: new Map([[upload, comparison()]]) } });
	const { compareWithExport } = backend;
	let compare = () => {};
	const held = new Promise<void>((resolve) => (compare = resolve));
	backend.compareWithExport = async (...asked) => {
		await held;
		return compareWithExport(...asked);
	};
	const { user } = renderWith(<ImportServer site={site} />, backend);
	await user.click(await screen.findByPlaceholderText("Select a file"));
	await user.click(await screen.findByRole("option", { name: new RegExp(file), hidden: true }));
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
	expect(screen.getByText("The comparison is still running.")).toBeVisible();
	const submit = screen.getByRole("button", { name: "Replace City GIS" });
	expect(submit).toBeDisabled();

	await act(async () => compare());

	await waitFor(() => expect(submit).toBeEnabled());
});

it("finds one of fifty thousand differences without drawing them all", async () => {
	const many = Array.from({ length: 50_000 }, (_, at) => gone(`Folder/Service${at}.MapServer`));
	const user = await chosen([[upload, comparison({ differences: many })]]);
	const section = await screen.findByRole("region", { name: "Comparison with the export" });
	expect(within(section).getAllByRole("row").length).toBeLessThan(60);
	await fill(user, within(section).getByRole("searchbox", { name: "Search changes" }), "Service49999.");
	expect(await within(section).findByText("Folder/Service49999.MapServer")).toBeVisible();
	// The headings of the columns and of the kind.
	expect(within(section).getAllByRole("row")).toHaveLength(3);
});

it("starts no import by Enter in the search of the differences, nor on a check box, though nothing is left to do", async () => {
	const { site: practice, world } = signedInPractice();
	const { user, backend } = renderWith(<ImportServer site={practice} />, {
		world: { ...world, comparisons: new Map([[upload, comparison()]]) },
	});
	const started = vi.spyOn(backend, "importServer");
	await user.click(await screen.findByPlaceholderText("Select a file"));
	await user.click(await screen.findByRole("option", { name: new RegExp(file), hidden: true }));
	await user.type(await screen.findByRole("searchbox", { name: "Search changes" }), "zoning{Enter}");
	await user.click(screen.getByRole("checkbox", { name: /^Create a safety backup/ }));
	await user.keyboard("{Enter}");
	screen.getByRole("combobox", { name: "Kind" }).focus();
	await user.keyboard("{Enter}");
	screen.getByRole("combobox", { name: "Uploaded file" }).focus();
	await user.keyboard("{Enter}");
	expect(started).not.toHaveBeenCalled();
	expect(screen.getByRole("button", { name: `Replace ${practice.name}` })).toBeEnabled();
});

it("keeps its search when the page is left and the comparison is read again", async () => {
	const { site, world } = signedInSite();
	const page = (
		<Leaving>
			<ImportServer site={site} />
		</Leaving>
	);
	const { user } = renderWith(page, { world: { ...world, comparisons: new Map([[upload, comparison()]]) } });
	await user.click(await screen.findByPlaceholderText("Select a file"));
	await user.click(await screen.findByRole("option", { name: new RegExp(file), hidden: true }));
	const search = () => screen.findByRole("searchbox", { name: /^Search/ });
	await fill(user, await search(), "zoning");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await search()).toHaveValue("zoning");
	expect(screen.queryByText("Water/Mains.MapServer")).toBeNull();
});
