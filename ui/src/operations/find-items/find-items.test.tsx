import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { type Backend, type ItemQuery, newRun } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { manyItems } from "@/bridge/fake-backend/samples";
import { useBring } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries/keys";
import { serverOf } from "@/lib/target";
import { axeFindings, confirmStop, fill, renderWith, signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import { WithPlace } from "@/test/where";
import { FindItems } from "./form";
import { lastFolderAt } from "./item-grid";

// The list renders only visible rows, and elements have no size in this environment.
beforeEach(() => {
	for (const side of ["clientHeight", "offsetHeight"] as const) {
		vi.spyOn(HTMLElement.prototype, side, "get").mockReturnValue(600);
	}
	vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1_000);
});

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<FindItems site={site} />, { world, ...options });
}

const showAll = () => screen.findByRole("button", { name: "Show all" });
const openFilters = async (user: UserEvent) => user.click(await screen.findByRole("button", { name: "Filters" }));
const grid = () => screen.findByRole("grid", { name: "Data store items" });

/** Returns the names in the rendered rows. */
async function names(): Promise<(string | null | undefined)[]> {
	const rows = within(await grid())
		.getAllByRole("row")
		.slice(1);
	return rows.map((row) => within(row).getAllByRole("gridcell")[0]?.textContent);
}

async function shown(): Promise<void> {
	await waitFor(async () => expect((await names()).filter(Boolean).length).toBeGreaterThan(2));
}

const byType: ItemQuery = { column: "type", descending: false, filter: "", type: null };

it.each([0, 8])("says that the server returned %i of 40 items", async (listed) => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world: listed === 0 ? { ...world, items: [] } : world });
	const inPart: Backend = {
		...backend,
		findItems: async (...asked) => {
			const ended = await backend.findItems(...asked);
			if (ended.kind !== "done") return ended;
			const search = { ...ended.report.search, gap: { kind: "cut" as const, listed, total: 40 } };
			return { ...ended, report: { ...ended.report, search } };
		},
	};
	const { user } = renderWith(<FindItems site={site} />, inPart);
	await user.click(await showAll());
	expect(await screen.findByText("Not all items were returned")).toBeVisible();
	expect(screen.getByText(`The site returned ${listed} of 40 entries.`)).toBeVisible();
	expect(screen.queryByText("No data store items")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("lists every item, and the details of one with its secrets masked until they are asked for", async () => {
	const { user } = show();
	await user.click(await showAll());
	await shown();
	expect(await screen.findByRole("heading", { name: "8 data store items" })).toBeVisible();
	expect(await grid()).toHaveAttribute("aria-rowcount", "9");
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("gridcell", { name: "parcels" }));
	const drawer = await screen.findByRole("dialog", { name: "Details of parcels" });
	expect(await within(drawer).findByText(/masked before they are shown/)).toBeVisible();
	expect(drawer).not.toHaveTextContent("open sesame");
	await user.click(within(drawer).getByRole("button", { name: "Reveal secrets" }));
	expect(await within(drawer).findByText("open sesame parcels")).toBeVisible();
	await user.click(within(drawer).getByRole("button", { name: "Hide secrets" }));
	expect(drawer).not.toHaveTextContent("open sesame");
	expect(await axeFindings()).toEqual([]);
});

it("has the guided lap look again when an item is opened, which may be the one that it wants", async () => {
	const { user, backend, queries } = show();
	await user.click(await showAll());
	await shown();
	queries.setQueryData(queryKeys.guidedTour, await backend.guidedTour());
	expect(queries.getQueryState(queryKeys.guidedTour)?.isInvalidated).toBe(false);
	await user.click(screen.getByRole("gridcell", { name: "parcels" }));
	await waitFor(() => expect(queries.getQueryState(queryKeys.guidedTour)?.isInvalidated).toBe(true));
});

it("begins with all items of a part, as the server lists its parts", async () => {
	const { user } = show();
	const part = await screen.findByRole("button", { name: "Show all items of /fileShares" });
	expect(screen.queryByLabelText("Parent path", { selector: "input" })).toBeNull();
	expect(await axeFindings()).toEqual([]);
	await user.click(part);
	expect(await screen.findByText("Search: at every level below “/fileShares”")).toBeVisible();
});

it("asks for at least one filter before anything is sent", async () => {
	const { user } = show({ fail: { findItems: { kind: "unexpected", message: "was sent" } } });
	await openFilters(user);
	await user.click(await screen.findByRole("button", { name: "Find data store items" }));
	expect(await screen.findByText("Enter at least one filter.")).toBeVisible();
	expect(screen.queryByText("was sent")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("says what was asked when nothing is found, and leaves the filters open", async () => {
	const { user } = show();
	await openFilters(user);
	await fill(user, await screen.findByLabelText("Types", { selector: "input" }), "nosuchtype");
	await user.click(screen.getByRole("button", { name: "Find data store items" }));
	expect(await screen.findByText("No data store items")).toBeVisible();
	expect(screen.getByText(/of type nosuchtype/)).toBeVisible();
	expect(screen.getByLabelText("Types", { selector: "input" })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("keeps the last folder of where the data is in sight, and the whole of it as one name", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(<FindItems site={site} />, { world: { ...world, items: manyItems(3) } });
	await user.click(await showAll());
	await shown();
	const cell = screen.getByRole("gridcell", { name: "/net/share/1" });
	expect([...cell.children].map(({ textContent }) => textContent)).toEqual(["/net/share", "/1"]);
	expect(cell).toHaveAttribute("title", "/net/share/1");
	const parted = (text: string) => text.slice(lastFolderAt(text) ?? text.length);
	expect(parted("\\\\nas\\gis\\roads\\")).toBe("\\roads\\");
	for (const whole of ["roads · db1", "/net", "–", "", "//////////"]) expect(parted(whole), whole).toBe("");
	expect(await axeFindings()).toEqual([]);
});

it("turns the order round by the heading", async () => {
	const { user } = show();
	await user.click(await showAll());
	await shown();
	await user.click(screen.getByRole("button", { name: "Name" }));
	await waitFor(async () => expect((await names())[0]).toBe("aerial"));
	const rising = await names();
	await user.click(screen.getByRole("button", { name: "Name" }));
	await waitFor(async () => expect(await names()).toEqual(rising.toReversed()));
	expect(screen.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");
});

it("narrows what was found by words and by type, says how many match, and saves those", async () => {
	const { user, backend } = show();
	const save = vi.spyOn(backend, "saveItems");
	await user.click(await showAll());
	await shown();
	await fill(user, screen.getByLabelText("Filter these items"), "fileshares scans");
	expect(await screen.findByText("1 of 8 items shown")).toBeVisible();
	await waitFor(async () => expect(await names()).toEqual(["cadastre-scans"]));
	await user.clear(screen.getByLabelText("Filter these items"));
	await user.click(screen.getByLabelText("Type", { selector: "input" }));
	await user.click(await screen.findByRole("option", { name: "Enterprise geodatabase (egdb) · 3" }));
	expect(await screen.findByText("3 of 8 items shown")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Save as file" }));
	await user.click(await screen.findByRole("menuitem", { name: "3 matching items as CSV" }));
	expect(await screen.findByText(/Saved to .*City GIS data store items\.csv/)).toBeVisible();
	expect(save.mock.calls[0]?.slice(2)).toEqual([expect.objectContaining({ type: "egdb", filter: "" }), "csv"]);
	await fill(user, screen.getByLabelText("Filter these items"), "nowhere");
	expect(await screen.findByText("No item matches this filter.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("shows the columns that are chosen, and one at the least", async () => {
	const { user } = show();
	await user.click(await showAll());
	await shown();
	const headings = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
	expect(headings()).toEqual(["Name", "Type", "Path", "Data location", "Managed", "Modified"]);
	await user.click(screen.getByRole("button", { name: "Columns" }));
	const choose = async (name: string) => user.click(await screen.findByRole("checkbox", { name }));
	await choose("Provider");
	for (const name of ["Type", "Path", "Data location", "Managed", "Modified", "Name"]) await choose(name);
	expect(headings()).toEqual(["Provider"]);
	expect(screen.getByRole("checkbox", { name: "Provider" })).toBeDisabled();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Show default columns" }));
	expect(headings()).toHaveLength(6);
});

it("does not warn of repeating a search whose answer was lost", async () => {
	const { user } = show({ endless: ["findItems"] });
	await user.click(await showAll());
	await confirmStop(user, "Stop waiting");
	expect(await screen.findByText(/A search does not change the site/)).toBeVisible();
	expect(screen.queryByText(/Do not start it again/)).toBeNull();
	expect(await showAll()).toBeEnabled();
});

it("quotes the server when it refuses, and keeps the filters and what was found before", async () => {
	const message = 'no such type <img src=x onerror="alert(1)">';
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	let refuses = false;
	const moody: Backend = {
		...backend,
		findItems: async (...asked) => {
			if (refuses) throw { kind: "rejected", code: 500, message, details: [] };
			return backend.findItems(...asked);
		},
	};
	const { user, container } = renderWith(<FindItems site={site} />, moody);
	await user.click(await showAll());
	await shown();
	refuses = true;
	await user.click(screen.getByRole("button", { name: "Change filters" }));
	await user.type(await screen.findByLabelText("Types", { selector: "input" }), "egdb");
	await user.click(screen.getByRole("button", { name: "Find data store items" }));
	expect(await screen.findByText(message)).toBeVisible();
	expect(container.querySelector("img")).toBeNull();
	expect(screen.getAllByText("egdb")[0]).toBeVisible();
	expect(screen.getByLabelText("Ancestor path", { selector: "input" })).toHaveValue("/");
	await shown();
});

it("goes from the headings to the last row by the keyboard, opens it, and comes back", async () => {
	const { user } = show();
	await user.click(await showAll());
	await shown();
	screen.getByRole("button", { name: "Name" }).focus();
	await user.keyboard("{ArrowRight}");
	expect(screen.getByRole("button", { name: "Type" })).toHaveFocus();
	await user.keyboard("{ArrowDown}");
	const rows = within(await grid())
		.getAllByRole("row")
		.slice(1);
	await waitFor(() => expect(rows[0]).toHaveFocus());
	await user.keyboard("{End}");
	await waitFor(() => expect(rows.at(-1)).toHaveFocus());
	await user.keyboard("{Enter}");
	expect(await screen.findByRole("dialog", { name: /^Details/ })).toBeVisible();
	await user.keyboard("{Escape}");
	await waitFor(() => expect(rows.at(-1)).toHaveFocus());
	await user.keyboard("{Home}{ArrowUp}");
	await waitFor(() => expect(screen.getByRole("button", { name: "Type" })).toHaveFocus());
});

it("makes a column wider with the keyboard", async () => {
	vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(150);
	const { user } = show();
	await user.click(await showAll());
	await shown();
	screen.getByRole("button", { name: "Name" }).focus();
	await user.keyboard("{Shift>}{ArrowRight}{/Shift}");
	expect((await grid()).style.getPropertyValue("--columns")).toMatch(/^174px /);
});

it("quotes the path that was asked for, which would run into the words around it", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const none = { parentPath: "", ancestorPath: "", types: "", id: "", isManaged: null };
	await backend.findItems(
		serverOf(site),
		"r1",
		{ ...none, ancestorPath: "/fileShares" },
		{ query: byType, most: 100, apart: false },
	);
	renderWith(<FindItems site={site} />, backend);
	expect(await screen.findByText("Search: at every level below “/fileShares”")).toBeVisible();
});

it("shows what was found before the window was loaded again, and offers what was asked before", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const none = { parentPath: "", ancestorPath: "", types: "", id: "", isManaged: null };
	await backend.findItems(
		serverOf(site),
		"r1",
		{ ...none, types: "folder" },
		{ query: byType, most: 100, apart: false },
	);
	const { user } = renderWith(<FindItems site={site} />, backend);
	expect(await screen.findByRole("heading", { name: "2 data store items" })).toBeVisible();
	expect(screen.getByText("Search: of type folder")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Change filters" }));
	await user.click(await screen.findByRole("button", { name: "Recent searches" }));
	await user.click(await screen.findByRole("menuitem", { name: "of type folder" }));
	await user.click(screen.getByRole("button", { name: "Find data store items" }));
	expect(await screen.findByRole("heading", { name: "2 data store items" })).toBeVisible();
});

it("says that a failed import might have changed the site since the answer", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const none = { parentPath: "", ancestorPath: "", types: "", id: "", isManaged: null };
	await backend.findItems(
		serverOf(site),
		"r1",
		{ ...none, types: "folder" },
		{ query: byType, most: 100, apart: false },
	);
	const form = { location: "/srv/a.agssite", confirmation: site.name, safetyBackup: null, deactivateWebhooks: null };
	await backend.importServer(serverOf(site), newRun("r2"), form);
	const { searchHistory } = backend;
	// In the fixture, the import failed halfway.
	backend.searchHistory = async (search, ...rest) => {
		if (!search.outcomes.includes("failed")) return { entries: [], batches: [], damaged: [], older: null };
		const page = await searchHistory({ ...search, outcomes: [] }, ...rest);
		return { ...page, entries: page.entries.map((entry) => ({ ...entry, outcome: "failed" as const })) };
	};
	renderWith(<FindItems site={site} />, backend);
	expect(await screen.findByText("An import might have changed the site since this search.")).toBeVisible();
});

it("says that an import might have changed the site since the answer, also after the window was loaded again, until it is asked anew", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const none = { parentPath: "", ancestorPath: "", types: "", id: "", isManaged: null };
	await backend.findItems(
		serverOf(site),
		"r1",
		{ ...none, types: "folder" },
		{ query: byType, most: 100, apart: false },
	);
	const view = renderWith(<FindItems site={site} />, backend);
	expect(await screen.findByRole("heading", { name: "2 data store items" })).toBeVisible();
	await waitFor(() => expect(view.queries.isFetching()).toBe(0));
	expect(screen.queryByText("An import might have changed the site since this search.")).toBeNull();
	view.unmount();

	await backend.importServer(serverOf(site), newRun("r2"), {
		location: "/srv/a.agssite",
		confirmation: site.name,
		safetyBackup: null,
		deactivateWebhooks: null,
	});
	const { user } = renderWith(<FindItems site={site} />, backend);
	expect(await screen.findByText("An import might have changed the site since this search.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Search again" }));
	await waitFor(() =>
		expect(screen.queryByText("An import might have changed the site since this search.")).toBeNull(),
	);
	expect(await screen.findByRole("button", { name: "Search again" })).toBeVisible();
});

it("has the first rows with the answer, in the order chosen last", async () => {
	const { user, backend } = show();
	const [search, rows] = [vi.spyOn(backend, "findItems"), vi.spyOn(backend, "itemRows")];
	await user.click(await showAll());
	await shown();
	expect(rows).not.toHaveBeenCalled();
	await user.click(screen.getByRole("button", { name: /^Type/ }));
	await waitFor(() => expect(rows).toHaveBeenLastCalledWith(cityServer, expect.any(String), byType, 0, 100));
	rows.mockClear();
	await user.click(screen.getByRole("button", { name: "Search again" }));
	await waitFor(() => expect(search.mock.lastCall?.[3]).toEqual({ query: byType, most: 100, apart: false }));
	await shown();
	expect(rows).not.toHaveBeenCalled();
});

it("says that what was found is not held any more", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const { user } = renderWith(<FindItems site={site} />, {
		...backend,
		itemRows: async () => {
			throw { kind: "preconditionFailed", why: { kind: "searchGone" } };
		},
	});
	await user.click(await showAll());
	await shown();
	await user.click(screen.getByRole("button", { name: /^Type/ }));
	expect(await screen.findByText("These search results are no longer available")).toBeVisible();
	expect(screen.getByRole("button", { name: "Search again" })).toBeEnabled();
});

it("draws a hundred thousand items with a few rows", async () => {
	const { site, world } = signedInSite();
	const { user, container } = renderWith(<FindItems site={site} />, { world: { ...world, items: manyItems(100_000) } });
	await user.click(await showAll());
	await screen.findByRole("heading", { name: "100,000 data store items" }, { timeout: 20_000 });
	await waitFor(async () => expect(await grid()).toHaveAttribute("aria-rowcount", "100001"), { timeout: 20_000 });
	expect(container.querySelectorAll("*").length).toBeLessThan(2_000);
	within(await grid())
		.getAllByRole("row")[1]
		?.focus();
	await user.keyboard("{End}");
	await waitFor(() => expect(document.activeElement).toHaveAttribute("aria-rowindex", "100001"));
	expect(container.querySelectorAll("*").length).toBeLessThan(2_000);
}, 120_000);

it("shows what came first of a long answer while the rest is on its way, and stops with it", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(<FindItems site={site} />, {
		world: { ...world, items: manyItems(1_000) },
		endless: ["findItems"],
	});
	await user.click(await showAll());
	const first = await grid();
	// The first rows cannot be used until all rows are there.
	expect(first).toHaveAttribute("inert");
	// Only rows that fit below the heading are rendered.
	expect(first.querySelectorAll("[role=row]")).toHaveLength(1 + 7);
	expect(first).toHaveTextContent("/bigDataFileShares/share0/item6");
	expect(screen.getByText(/^These items were received first/)).toBeVisible();
	expect(screen.getByRole("heading", { name: "Receiving items" })).toBeVisible();
	expect(screen.queryByDisplayValue("/")).toBeNull();
	expect(await axeFindings()).toEqual([]);
	await confirmStop(user, "Stop waiting");
	await waitFor(() => expect(screen.queryByRole("grid")).toBeNull());
	expect(screen.getByDisplayValue("/")).toBeVisible();
});

it("fills its frame with rows before the frame is measured at the height that they give it", async () => {
	const { site, world } = signedInSite();
	// Without rows, the grid is as high as its heading. It grows when rows are rendered.
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockImplementation(function (this: HTMLElement) {
		return this.role === "grid" ? 32 : 800;
	});
	const page = (
		<main>
			<FindItems site={site} />
		</main>
	);
	const { user } = renderWith(page, { world: { ...world, items: manyItems(100) } });
	await user.click(await showAll());
	await shown();
	expect((await names()).length).toBeGreaterThan(20);
});

function Arrive({ path, narrow }: { path: string; narrow?: string }) {
	const bring = useBring();
	const parameters = [{ name: path === "/" ? "ancestorPath" : "parentPath", value: path }];
	const words = narrow === undefined ? {} : { narrow };
	return (
		<button type="button" onClick={() => bring(cityServer, "find_items", { parameters, sentAt: null, ...words })}>
			arrive
		</button>
	);
}

it("takes up a path that another screen sends along, also beside what was found before", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(
		<>
			<Arrive path="/fileShares" />
			<FindItems site={site} />
		</>,
		{ world },
	);
	await user.click(await showAll());
	await shown();
	await user.click(screen.getByRole("button", { name: "arrive" }));
	expect(await screen.findByLabelText("Parent path", { selector: "input" })).toHaveValue("/fileShares");
	await user.click(screen.getByRole("button", { name: "Find data store items" }));
	expect(await screen.findByRole("heading", { name: "2 data store items" })).toBeVisible();
});

function follow(narrow: string) {
	const { site, world } = signedInSite();
	return renderWith(
		<WithPlace>
			<Arrive path="/" narrow={narrow} />
			<FindItems site={site} />
		</WithPlace>,
		{ world },
	);
}

it("searches at once for what an import report names, shows what has those words and says so", async () => {
	const { user } = follow("cadastre-scans");
	await user.click(screen.getByRole("button", { name: "arrive" }));
	expect(await screen.findByText("1 of 8 items shown")).toBeVisible();
	expect(screen.getByLabelText("Filter these items")).toHaveValue("cadastre-scans");
	expect(screen.getByText("Filtered by “cadastre-scans”")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Back to the previous page" }));
	expect(screen.getByTestId("place")).toHaveTextContent("sites");
	expect(screen.queryByRole("button", { name: "Back to the previous page" })).toBeNull();
});

it("no longer says that the items are filtered once the filter is cleared", async () => {
	const { user } = follow("cadastre-scans");
	await user.click(screen.getByRole("button", { name: "arrive" }));
	expect(await screen.findByText("Filtered by “cadastre-scans”")).toBeVisible();
	await user.clear(screen.getByLabelText("Filter these items"));
	expect(await screen.findByText("All 8 items shown")).toBeVisible();
	expect(screen.queryByText(/^Filtered by/)).toBeNull();
});

it("says what to do when the report names no path, also above what was found before", async () => {
	const { user } = follow("");
	await openFilters(user);
	await user.type(await screen.findByLabelText("Types", { selector: "input" }), "egdb");
	await user.click(screen.getByRole("button", { name: "Find data store items" }));
	expect(await screen.findByRole("heading", { name: "3 data store items" })).toBeVisible();
	await user.click(screen.getByRole("button", { name: "arrive" }));
	expect(await screen.findByRole("heading", { name: "8 data store items" })).toBeVisible();
	expect(screen.getByText("The report contains no path")).toBeVisible();
	expect(screen.getByText("Search: all items")).toBeVisible();
});

it("lets go of what a link filled in as soon as the person asks for something else", async () => {
	const { user } = follow("cadastre-scans");
	await user.click(screen.getByRole("button", { name: "arrive" }));
	await user.click(await screen.findByRole("button", { name: "Change filters" }));
	const ancestor = () => screen.findByLabelText("Ancestor path", { selector: "input" });
	expect(await ancestor()).toHaveValue("/");
	await user.clear(await ancestor());
	await fill(user, screen.getByLabelText("Parent path", { selector: "input" }), "/fileShares");
	await user.click(screen.getByRole("button", { name: "Find data store items" }));
	expect(await screen.findByRole("heading", { name: "2 data store items" })).toBeVisible();
	expect(screen.getByLabelText("Filter these items")).toHaveValue("");
	expect(screen.queryByText(/cadastre-scans”/)).toBeNull();
	await user.click(screen.getByRole("button", { name: "Change filters" }));
	expect(await ancestor()).toHaveValue("");
	expect(screen.getByLabelText("Parent path", { selector: "input" })).toHaveValue("/fileShares");
});

/** Page that can be left and opened again, for example for the help. */
function Leaving({ children }: { children: ReactNode }) {
	const [here, setHere] = useState(true);
	return (
		<>
			<button type="button" onClick={() => setHere(!here)}>
				leave or come back
			</button>
			{here ? children : null}
		</>
	);
}

it("does not search for it again when somebody only comes back", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const search = vi.spyOn(backend, "findItems");
	const page = (
		<>
			<Arrive path="/" narrow="cadastre-scans" />
			<Leaving>
				<FindItems site={site} />
			</Leaving>
		</>
	);
	const { user } = renderWith(page, backend);
	await user.click(screen.getByRole("button", { name: "arrive" }));
	expect(await screen.findByText("1 of 8 items shown")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "leave or come back" }));
	await user.click(screen.getByRole("button", { name: "leave or come back" }));
	expect(await screen.findByText("1 of 8 items shown")).toBeVisible();
	expect(search).toHaveBeenCalledTimes(1);
});

it("begins what a report asks for as soon as the search that runs has ended", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const { findItems } = backend;
	let end = () => {};
	const goOn = new Promise<void>((resolve) => {
		end = resolve;
	});
	const search = vi.spyOn(backend, "findItems").mockImplementationOnce(async (...asked) => {
		await goOn;
		return findItems(...asked);
	});
	const page = (
		<>
			<Arrive path="/" narrow="cadastre-scans" />
			<FindItems site={site} />
		</>
	);
	const { user } = renderWith(page, backend);
	await openFilters(user);
	await user.type(await screen.findByLabelText("Types", { selector: "input" }), "egdb");
	await user.click(screen.getByRole("button", { name: "Find data store items" }));
	await user.click(screen.getByRole("button", { name: "arrive" }));
	expect(search).toHaveBeenCalledTimes(1);
	end();
	expect(await screen.findByText("1 of 8 items shown")).toBeVisible();
	expect(search).toHaveBeenCalledTimes(2);
});

it("shows a root that cannot be read, which cannot be selected, and the others", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const listing: Backend = { ...backend, listDataRoots: () => Promise.resolve(["/fileShares", "", ""]) };
	const { user } = renderWith(<FindItems site={site} />, listing);
	await openFilters(user);
	const parent = await screen.findByLabelText("Parent path", { selector: "input" });
	await user.click(parent);
	expect(await screen.findByRole("option", { name: "/fileShares" })).toBeVisible();
	const unreadable = screen.getAllByRole("option", { name: /cannot be read/ });
	expect(unreadable).toHaveLength(1);
	expect(unreadable[0]).toHaveAttribute("data-combobox-disabled", "true");
	await user.click(unreadable[0] as HTMLElement);
	expect(parent).toHaveValue("");
});
