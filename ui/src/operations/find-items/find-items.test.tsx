import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { DataItem } from "@/bridge";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { FindItems } from "./form";
import { ItemGrid } from "./item-grid";
import { filtered, type Order, sorted } from "./order";

const anItem: DataItem = {
	id: "",
	name: "",
	path: "",
	type: "folder",
	provider: "",
	description: "",
	revision: "",
	systemManaged: null,
	isManaged: null,
	purposes: [],
	machines: [],
	created: null,
	modified: null,
	info: [],
};

// Rows are drawn for the height that can be seen, and here nothing has any.
beforeEach(() => {
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1_000);
});

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<FindItems site={site} />, { world, ...options });
}

const showAll = () => screen.findByRole("button", { name: "Show all" });

it("lists every item, and the details of one with its secrets masked", async () => {
	const { user } = show();
	await user.click(await showAll());
	const grid = await screen.findByRole("grid", { name: "Data items" });
	expect(await axeFindings()).toEqual([]);
	const rows = within(grid).getAllByRole("row").slice(1);
	expect(grid).toHaveAttribute("aria-rowcount", String(rows.length + 1));
	const managed = rows.find((row) => row.textContent?.includes("relds"));
	await user.click(managed ?? (rows[0] as HTMLElement));
	const drawer = await screen.findByRole("dialog", { name: /^Details of / });
	expect(drawer.textContent).toContain("••••");
	expect(within(drawer).getByText(/masked before they reach this window/)).toBeVisible();
});

it("asks for at least one filter before anything is sent", async () => {
	const { user } = show({ fail: { findItems: { kind: "unexpected", message: "was sent" } } });
	await user.click(await screen.findByRole("button", { name: "Find data items" }));
	expect(await screen.findByText("Fill in at least one filter.")).toBeVisible();
	expect(screen.queryByText("was sent")).toBeNull();
});

it("says what was asked when nothing is found", async () => {
	const { user } = show();
	await user.type(await screen.findByLabelText("Types"), "nosuchtype");
	await user.click(screen.getByRole("button", { name: "Find data items" }));
	expect(await screen.findByText("No data item matches")).toBeVisible();
	expect(screen.getByText(/types nosuchtype/)).toBeVisible();
});

it("turns the order round by the heading", async () => {
	const { user } = show();
	await user.click(await showAll());
	const names = async () => {
		const grid = await screen.findByRole("grid");
		return within(grid)
			.getAllByRole("row")
			.slice(1)
			.map((row) => within(row).getAllByRole("gridcell")[0]?.textContent);
	};
	await user.click(await screen.findByRole("button", { name: "Name" }));
	const rising = await names();
	await user.click(screen.getByRole("button", { name: "Name" }));
	expect(rising.length).toBeGreaterThan(2);
	expect(await names()).toEqual(rising.toReversed());
	expect(screen.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");
});

it("counts the numbers in names, and puts what is not said last", () => {
	const item = (name: string, modified: number | null) => ({ ...anItem, name, modified });
	const items = [item("road 10", null), item("road 9", 5), item("rail 1", 7)];
	const names = (order: Order) => sorted(items, order).map(({ name }) => name);
	expect(names({ column: "name", descending: false })).toEqual(["rail 1", "road 9", "road 10"]);
	expect(names({ column: "modified", descending: true })).toEqual(["rail 1", "road 9", "road 10"]);
	expect(filtered(items, "ROAD").length).toBe(2);
});

it("does not warn of repeating a search whose answer was lost", async () => {
	const { user } = show({ endless: ["findItems"] });
	await user.click(await showAll());
	await user.click(await screen.findByRole("button", { name: "Stop waiting" }));
	expect(await screen.findByText(/A search changes nothing/)).toBeVisible();
	expect(screen.queryByText(/Do not start it again/)).toBeNull();
	expect(await showAll()).toBeEnabled();
});

it("quotes the server when it refuses, and keeps the filters", async () => {
	const message = 'no such type <img src=x onerror="alert(1)">';
	const { user, container } = show({ fail: { findItems: { kind: "refused", code: 500, message, details: [] } } });
	await user.type(await screen.findByLabelText("Types"), "egdb");
	await user.click(screen.getByRole("button", { name: "Find data items" }));
	expect(await screen.findByText(message)).toBeVisible();
	expect(container.querySelector("img")).toBeNull();
	expect(screen.getByLabelText("Types")).toHaveValue("egdb");
});

it("goes from the first row to the last by the keyboard, and opens it", async () => {
	const { user } = show();
	await user.click(await showAll());
	const grid = await screen.findByRole("grid");
	const rows = within(grid).getAllByRole("row").slice(1);
	rows[0]?.focus();
	await user.keyboard("{End}");
	await vi.waitFor(() => expect(rows.at(-1)).toHaveFocus());
	await user.keyboard("{Enter}");
	expect(await screen.findByRole("dialog", { name: /^Details of / })).toBeVisible();
});

it("tells items apart that have neither path nor identifier", () => {
	const complaints = vi.spyOn(console, "error");
	const items = ["a", "b", "c"].map((name) => ({ ...anItem, name }));
	const order: Order = { column: "name", descending: false };
	renderWith(<ItemGrid items={items} order={order} onOrder={() => {}} onOpen={() => {}} />);
	expect(screen.getAllByRole("row")).toHaveLength(4);
	expect(complaints.mock.calls.filter(([text]) => String(text).includes("same key"))).toEqual([]);
});
