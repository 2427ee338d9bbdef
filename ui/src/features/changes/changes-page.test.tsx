import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { Change } from "@/bridge";
import type { World } from "@/bridge/fake-backend/world";
import { betweenWorld, changedWorld, comparison, differenceOf, snapshots } from "@/test/changes";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { ChangesPage } from "./changes-page";

function show(more: Partial<World> = {}) {
	const { site, world } = signedInSite();
	return renderWith(<ChangesPage site={site} />, { world: { ...world, ...changedWorld(site.id), ...more } });
}

const table = () => screen.findByRole("grid", { name: "Changes" });
const rowOf = async (name: string) =>
	within(await table())
		.getByText(name)
		.closest("tr") as HTMLElement;

test("a change says what, where, from and to, since when, and that the app did it", async () => {
	const { container } = show();
	const headline =
		"1 service differs, 1 is missing, 1 data store item differs. Not compared completely: Collaborations";
	expect(await screen.findByText(headline)).toBeVisible();
	const words = /Differs.*gis\.example\.org.*1.*4.*Server import.*ana/;
	expect(await rowOf("Parcels/Zoning.MapServer")).toHaveTextContent(words);
	expect(await rowOf("/fileShares/aerial")).toHaveTextContent(/Not by the app.*User not reported/);
	expect(await rowOf("Harbor/Tides.MapServer")).toHaveTextContent(/Missing.*Exists.*Not on the server/);
	expect(screen.getByText("Collaborations, Portal: 403 (not permitted)")).toBeVisible();
	expect(await axeFindings(container)).toEqual([]);
});

test("what was not compared is read again, and the earlier snapshot stays", async () => {
	const { user, backend } = show();
	const take = vi.spyOn(backend, "takeSnapshot");
	const compare = vi.spyOn(backend, "compareSnapshots");
	const notice = within(await screen.findByRole("status", { name: "Not compared, and might differ" }));
	await user.click(notice.getByRole("button", { name: "Read again" }));
	await waitFor(() => expect(take).toHaveBeenCalledTimes(1));
	await waitFor(() => expect(compare).toHaveBeenLastCalledWith(expect.objectContaining({ from: 1, to: 3 })));
});

test("where nothing differs, what was not compared is not called unchanged", async () => {
	show({ comparison: { ...comparison, differences: [] } });
	expect(await screen.findByRole("heading", { name: "Not compared completely: Collaborations" })).toBeVisible();
	expect(screen.queryByText(/No changes/)).toBeNull();
});

test("what the history does not tell is not called a change by somebody else", async () => {
	show({ comparison: { ...comparison, isHistoryKnown: false } });
	expect(await rowOf("/fileShares/aerial")).toHaveTextContent("Not known");
	expect(screen.queryByText("Not by the app")).toBeNull();
});

test("an opened change shows its fields side by side, and no secret", async () => {
	const { user } = show();
	await user.click(await screen.findByRole("button", { name: "Details of Parcels/Zoning.MapServer" }));
	const fields = await screen.findByRole("table", { name: "Fields of Parcels/Zoning.MapServer" });
	const secret = within(fields).getByText("properties / connection").closest("tr");
	expect(secret).toHaveTextContent("Secret: differs, not shown");
	expect(fields).not.toHaveTextContent("***");
});

test("an opened change leads to its page on the server, unless it is not there any more", async () => {
	const { site } = signedInSite();
	const place = site.servers[0]?.id ?? "";
	const of = (name: string, change: Change) =>
		differenceOf("services", name, { key: { kind: "services", place, name }, change });
	const differences = [of("Harbor/Tides.MapServer", "missing"), of("Parcels/Zoning.MapServer", "differs")];
	const { user, backend } = show({ comparison: { ...comparison, differences } });
	const open = vi.spyOn(backend, "openLink").mockResolvedValue(null);
	await user.click(await screen.findByRole("button", { name: "Details of Harbor/Tides.MapServer" }));
	expect(screen.queryByRole("button", { name: "Show on the server" })).toBeNull();
	await user.click(screen.getByRole("button", { name: "Details of Parcels/Zoning.MapServer" }));
	await user.click(await screen.findByRole("button", { name: "Show on the server" }));
	const address = `${site.servers[0]?.address}/admin/services/Parcels/Zoning.MapServer`;
	expect(open).toHaveBeenCalledWith(site.id, address);
});

test("an accepted change needs a reason, is not counted, is shown on demand, and can be withdrawn", async () => {
	const { user } = show();
	await user.click(await screen.findByRole("button", { name: "Details of Parcels/Zoning.MapServer" }));
	await user.click(screen.getByRole("button", { name: "Accept" }));
	const reason = screen.getByLabelText("Reason to accept Parcels/Zoning.MapServer");
	await waitFor(() => expect(reason).toBeInvalid());
	await fill(user, reason, "CHG-2310");
	await user.click(screen.getByRole("button", { name: "Accept" }));
	expect(await screen.findByText(/^1 service is missing, 1 data store item differs/)).toBeVisible();
	expect(within(await table()).queryByText("Parcels/Zoning.MapServer")).toBeNull();
	await user.click(screen.getByRole("button", { name: "Show" }));
	expect(await screen.findByText(/^Accepted .* by ana: CHG-2310$/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Withdraw acceptance" }));
	expect(await screen.findByText(/^1 service differs, 1 is missing/)).toBeVisible();
});

test("changes of many kinds are counted in the headline up to the fifth, and the rest together", async () => {
	const kinds = ["services", "folders", "dataStoreItems", "machines", "roles", "versions", "logs"] as const;
	const differences = kinds.map((kind) => differenceOf(kind, "x", { change: "added" }));
	show({ comparison: { ...comparison, notCompared: [], differences } });
	const headline =
		"1 service is new, 1 folder is new, 1 data store item is new, 1 machine is new, 1 role is new, 2 more changes";
	expect(await screen.findByRole("heading", { name: headline })).toBeVisible();
});

test("a site on which nothing changed has no changes in the headline", async () => {
	show({ comparison: { ...comparison, notCompared: [], differences: [] } });
	expect(await screen.findByRole("heading", { name: "No changes" })).toBeVisible();
});

test("a search narrows the rows, and not the headline", async () => {
	const { user } = show();
	await table();
	await fill(user, screen.getByLabelText("Search changes"), "zoning");
	await waitFor(async () => expect(within(await table()).queryByText("/fileShares/aerial")).toBeNull());
	expect(screen.getByText(/^1 service differs, 1 is missing/)).toBeVisible();
	await fill(user, screen.getByLabelText("Search changes"), "nowhere");
	expect(await screen.findByText("No change matches.")).toBeVisible();
});

test("a kind that is selected narrows the rows", async () => {
	const { user } = show();
	await table();
	await user.click(screen.getByRole("combobox", { name: "Kind" }));
	await user.click(await screen.findByRole("option", { name: "Data store items" }));
	await waitFor(async () => expect(within(await table()).queryByText("Parcels/Zoning.MapServer")).toBeNull());
	expect(await rowOf("/fileShares/aerial")).toBeVisible();
});

describe("10,000 changes", () => {
	const name = (number: number) => `Service${number}.MapServer`;
	const differences = Array.from({ length: 10_000 }, (_, number) => differenceOf("services", name(number)));
	const showMany = () => show({ comparison: { ...comparison, differences } });
	const details = (number: number) => screen.findByRole("button", { name: `Details of ${name(number)}` });

	// Only visible rows are rendered, and elements have no size in this environment.
	beforeEach(() => {
		vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
		vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(48);
	});

	test("only those in view are rendered, with the number of all", async () => {
		showMany();
		expect(await screen.findByText(/^10,000 services differ/)).toBeVisible();
		expect(await details(0)).toBeVisible();
		expect(within(await table()).getAllByRole("row").length).toBeLessThan(60);
		expect(await table()).toHaveAttribute("aria-rowcount", "10002");
	});

	test("keys move from the first to the last and back, and Tab passes by the others", async () => {
		const { user } = showMany();
		(await details(0)).focus();
		await user.keyboard("{ArrowDown}");
		expect(await details(1)).toHaveFocus();
		await user.tab();
		expect(await table()).not.toContainElement(document.activeElement as HTMLElement);
		await user.tab({ shift: true });
		expect(await details(1)).toHaveFocus();
		await user.keyboard("{End}");
		expect(await details(9_999)).toHaveFocus();
		await user.keyboard("{Home}");
		expect(await details(0)).toHaveFocus();
	});

	test("a reason that was begun stays while it is scrolled out of view", async () => {
		const { user } = showMany();
		await user.click(await details(0));
		await fill(user, screen.getByLabelText(`Reason to accept ${name(0)}`), "CHG-2310");
		const frame = (await table()).parentElement as HTMLElement;
		frame.scrollTop = 200_000;
		fireEvent.scroll(frame);
		expect(await details(4_090)).toBeVisible();
		expect(screen.queryByRole("button", { name: `Details of ${name(100)}` })).toBeNull();
		expect(screen.getByLabelText(`Reason to accept ${name(0)}`)).toHaveValue("CHG-2310");
	});
});

test("after a change is accepted, the focus is at the one that follows", async () => {
	const { user } = show();
	const details = (name: string) => screen.findByRole("button", { name: `Details of ${name}` });
	await user.click(await details("Harbor/Tides.MapServer"));
	await fill(user, screen.getByLabelText("Reason to accept Harbor/Tides.MapServer"), "CHG-2310");
	await user.keyboard("{Enter}");
	await waitFor(async () => expect(await details("Parcels/Zoning.MapServer")).toHaveFocus());
});

test("a list to which something was added had nothing else before", async () => {
	const first = { field: "privileges", before: "", after: "webhooks", isSecret: false, isList: true };
	show({ comparison: { ...comparison, differences: [differenceOf("roles", "Publisher", { first })] } });
	expect(await rowOf("Publisher")).toHaveTextContent(/Nothing else.*webhooks/);
});

test("without two snapshots, it says what is needed, and takes one", async () => {
	const { user } = show({ snapshots: new Map() });
	expect(await screen.findByText("No snapshots")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Take snapshot" }));
	expect(await screen.findByText("One snapshot")).toBeVisible();
});

test("a snapshot that was not taken is named with the reason, and the earlier ones are compared", async () => {
	const { site } = signedInSite();
	const failed = { id: 3, at: Date.now(), cause: "export" as const, sha256: "", failure: "an import of the site ran" };
	show({ snapshots: new Map([[site.id, { ...snapshots, snapshots: [failed, ...snapshots.snapshots] }]]) });
	expect(await screen.findByText("an import of the site ran")).toBeVisible();
	expect(await table()).toBeVisible();
});

test("a snapshot that was changed after it was taken is named in the headline, and nothing is compared", async () => {
	const at = [snapshots.snapshots[0]?.at ?? 0];
	const { container } = show({ comparison: { ...comparison, differences: [], changed: at } });
	const headline = await screen.findByRole("heading", { name: /^The snapshot of .+ was changed after it was taken$/ });
	expect(headline).toBeVisible();
	expect(screen.getByRole("alert")).toHaveTextContent("Nothing is compared");
	expect(screen.queryByText("No changes")).toBeNull();
	expect(screen.queryByText(/^Equal/)).toBeNull();
	expect(await axeFindings(container)).toEqual([]);
});

test("a snapshot without an entry in the audit trail is named, and compared", async () => {
	show({ comparison: { ...comparison, notRecorded: [snapshots.snapshots[0]?.at ?? 0] } });
	expect(await screen.findByText(/^The audit trail has no entry for the snapshot of /)).toBeVisible();
	expect(await table()).toBeVisible();
});

test("snapshots that the audit trail has and that are gone are listed, also without any other", async () => {
	const { site } = signedInSite();
	const missing = snapshots.snapshots.map(({ at }) => at);
	const { user } = show({ snapshots: new Map([[site.id, { ...snapshots, snapshots: [], missing }]]) });
	await user.click(await screen.findByRole("button", { name: "2 snapshots are missing" }));
	expect(screen.getByText(/and the file changes\.db in the data folder does not/)).toBeVisible();
});

test("volatile fields are shown apart, and can be compared again", async () => {
	const { user, backend } = show();
	const set = vi.spyOn(backend, "setFieldCompared");
	await user.click(await screen.findByRole("button", { name: "1 volatile field is set apart" }));
	await user.click(await screen.findByRole("button", { name: "Compare serverTime" }));
	expect(set).toHaveBeenCalledWith(expect.anything(), "machines", "serverTime", true);
	expect(await screen.findByRole("button", { name: "Set serverTime apart" })).toBeVisible();
});

async function showBetween() {
	const { site, world } = signedInSite();
	const shown = renderWith(<ChangesPage site={site} />, { world: { ...world, ...betweenWorld(site.id) } });
	await shown.user.click(await screen.findByRole("radio", { name: "Between" }));
	await table();
	return shown;
}

test("between two sites, a change says where it is, on which it changed last, and nothing about the app's history", async () => {
	const { container } = await showBetween();
	expect(screen.getByText(/^1 service differs, 1 is only on Harbour Test\./)).toBeVisible();
	expect(await rowOf("Zoning/Draft_B12.FeatureServer")).toHaveTextContent(
		/Only on Harbour Test.*Exists.*Not on the server/,
	);
	expect(within(await table()).getByRole("columnheader", { name: "Last changed" })).toBeVisible();
	expect(screen.queryByText("Not by the app")).toBeNull();
	expect(
		screen.getByText(/3 secrets were not compared: each site encrypts its own\. 12 identifiers and times/),
	).toBeVisible();
	expect(await axeFindings(container)).toEqual([]);
});

test("a site is compared with a site, and a server with a server", async () => {
	const { user, backend } = await showBetween();
	const compare = vi.spyOn(backend, "compareSnapshots");
	await user.click(screen.getByRole("combobox", { name: "Right site or server" }));
	await user.click(await screen.findByRole("option", { name: /^Harbour, gis\.example\.org/ }));
	await waitFor(() =>
		expect(compare).toHaveBeenCalledWith({
			kind: "between",
			left: { site: "test", server: "test", snapshot: 2 },
			right: expect.objectContaining({ server: "gis" }),
		}),
	);
});

test("a pair says what it makes equal, one of a user that makes nothing equal is a warning, and pairs are added and removed", async () => {
	const { user, backend } = await showBetween();
	const save = vi.spyOn(backend, "saveSubstitutions");
	const pairs = await screen.findByRole("table", { name: "Substitutions" });
	expect(within(pairs).getByText("test.example.org").closest("tr")).toHaveTextContent(
		/402 values.*Proposed from the URLs/,
	);
	expect(within(pairs).getByText("test").closest("tr")).toHaveTextContent(/0 valuesProposed from the URLs/);
	expect(within(pairs).getByText("gis_test").closest("tr")).toHaveTextContent(/0 values: no effect.*Added by ana/);
	await user.click(screen.getByRole("button", { name: "Add pair" }));
	await waitFor(() => expect(screen.getByRole("textbox", { name: "On Harbour Test" })).toBeInvalid());
	await fill(user, screen.getByRole("textbox", { name: "On Harbour Test" }), "D:\\gisdata_test");
	await fill(user, screen.getByRole("textbox", { name: "On Harbour" }), "D:\\gisdata");
	await user.click(screen.getByRole("button", { name: "Add pair" }));
	expect(await within(pairs).findByText("D:\\gisdata_test")).toBeVisible();
	await user.click(within(pairs).getByRole("button", { name: "Remove gis_test" }));
	await waitFor(() => expect(within(pairs).queryByText("gis_test")).toBeNull());
	expect(save).toHaveBeenLastCalledWith(expect.anything(), [
		{ left: "test.example.org", right: "harbour.example.org" },
		{ left: "test", right: "harbour" },
		{ left: "D:\\gisdata_test", right: "D:\\gisdata" },
	]);
});

test("without a second site, it says where to take a snapshot", async () => {
	const { user } = show();
	await user.click(await screen.findByRole("radio", { name: "Between" }));
	expect(await screen.findByText("Nothing to compare with")).toBeVisible();
});

test("before and after an import, its snapshots are compared, also from its result", async () => {
	const { site, world } = signedInSite();
	const by = { record: "record-1", operation: "import_server" as const, at: Date.now(), username: "ana" };
	const comparedImports = [{ by, server: "gis.example.org/server", before: 1, after: 2 }];
	renderWith(<ChangesPage site={site} imported="record-1" />, {
		world: { ...world, ...changedWorld(site.id), comparedImports },
	});
	expect(await screen.findByRole("columnheader", { name: /^Before, / })).toBeVisible();
	const shown = screen.getByRole<HTMLInputElement>("combobox", { name: "Compared import or upgrade" });
	expect(shown.value).toMatch(/^Server import, gis\.example\.org\/server, /);
});

test("an import without a snapshot after it is not replaced by another one", async () => {
	const { site, world } = signedInSite();
	const by = { record: "record-1", operation: "import_server" as const, at: Date.now(), username: "ana" };
	renderWith(<ChangesPage site={site} imported="record-2" />, {
		world: { ...world, ...changedWorld(site.id), comparedImports: [{ by, server: null, before: 1, after: 2 }] },
	});
	expect(await screen.findByText("No import or upgrade between two snapshots")).toBeVisible();
});

test("before and after an upgrade, its snapshots are compared", async () => {
	const { site, world } = signedInSite();
	const comparedImports = [{ by: null, server: "gis.example.org/server", before: 1, after: 2 }];
	const { user } = renderWith(<ChangesPage site={site} />, {
		world: { ...world, ...changedWorld(site.id), comparedImports },
	});
	await user.click(await screen.findByRole("radio", { name: "Before and after" }));
	expect(await screen.findByRole("columnheader", { name: /^Before, / })).toBeVisible();
	const shown = screen.getByRole<HTMLInputElement>("combobox", { name: "Compared import or upgrade" });
	expect(shown.value).toMatch(/^Upgrade, gis\.example\.org\/server, /);
});
