import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { Backend, SiteView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { serverOf } from "@/lib/target";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { FindItems } from "./form";
import { usualOrder } from "./values";

// The list renders only visible rows, and elements have no size in this environment.
beforeEach(() => {
	for (const side of ["clientHeight", "offsetHeight"] as const) {
		vi.spyOn(HTMLElement.prototype, side, "get").mockReturnValue(600);
	}
});

const title = "Search all servers of this site";

/** Site with three servers. The first two have the sample items. */
function three(changes: (backend: Backend) => Partial<Backend> = () => ({})) {
	const { site: one, world } = signedInSite();
	const servers = ["gisapp01", "gisapp02", "imagery"].map((name, at) => ({
		...one.servers[0],
		id: at === 0 ? (one.currentServer as string) : name,
		name,
	})) as SiteView["servers"];
	const site = { ...one, servers };
	const backend = fakeBackend({ world: { ...world, sites: [site] } });
	const shown = renderWith(
		<WithPlace>
			<FindItems site={site} />
		</WithPlace>,
		{ ...backend, ...changes(backend) },
	);
	const search = async (words: string) => {
		await fill(shown.user, await screen.findByLabelText(title), words);
		await shown.user.click(screen.getByRole("button", { name: "Search all servers" }));
	};
	return { ...shown, search };
}

const table = async () => within(await screen.findByRole("table", { name: "Items on all servers" }));

it("finds a word on every server of the site, each row with its server", async () => {
	const { search } = three();
	await search("aerial");
	const rows = (await table()).getAllByRole("row").slice(1);
	expect(rows.map((row) => within(row).getAllByRole("cell")[0]?.firstChild?.textContent)).toEqual([
		"gisapp01",
		"gisapp02",
		"imagery",
	]);
	expect(
		screen.getByText(/^3 items match “aerial” on gisapp01, gisapp02,? and imagery \(3 of 3 servers\)/),
	).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("has a heading above the search of the current server alone", async () => {
	three();
	expect(await screen.findByRole("heading", { level: 2, name: /^Search only / })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("names a server that cannot be reached, with the reason, beside what the others have", async () => {
	const { search } = three((backend) => ({
		findItems: async (target, ...asked) => {
			if (target.server === "imagery") throw { kind: "unreachable", stage: "connect", message: "connection refused" };
			return backend.findItems(target, ...asked);
		},
	}));
	await search("aerial");
	const failed = await screen.findByRole("alert", { name: "imagery was not searched" });
	expect(failed).toHaveTextContent(/imagery was not searched.+/);
	expect((await table()).getAllByRole("row")).toHaveLength(3);
	expect(screen.getByText(/on gisapp01 and gisapp02 \(2 of 3 servers\)/)).toBeVisible();
});

it("leads from a row to the item on its server", async () => {
	const { user, search } = three();
	await search("aerial");
	await user.click((await table()).getByRole("button", { name: "Show /fileShares/aerial on imagery" }));
	expect(screen.getByTestId("place")).toHaveTextContent("operation city imagery find_items");
});

it("leaves what was found last on the page of a server", async () => {
	const { search, backend } = three();
	const folders = { parentPath: "", ancestorPath: "", types: "folder", id: "", isManaged: null };
	const first = { query: { ...usualOrder, filter: "", type: null }, most: 100, apart: false };
	await backend.findItems(serverOf(signedInSite().site), "r", folders, first);
	await search("aerial");
	await table();
	expect((await backend.lastItemSearch(serverOf(signedInSite().site)))?.form).toEqual(folders);
	expect(await backend.recentItemFilters("city")).toEqual([folders]);
	// The search of all servers adds no run to the operations panel.
	await vi.waitFor(async () => expect((await backend.listRuns()).ended.map(({ id }) => id)).toEqual(["r"]));
});

it("says what was not searched after Stop", async () => {
	const stopped: string[] = [];
	let end: () => void = () => {};
	const { user, search } = three((backend) => ({
		findItems: (target, ...asked) =>
			target.server === "imagery"
				? new Promise((resolve) => {
						end = () => resolve({ kind: "notSent", record: null, backup: null });
					})
				: backend.findItems(target, ...asked),
		stopRun: async (run) => {
			stopped.push(run);
			end();
		},
	}));
	await search("aerial");
	await user.click(await screen.findByRole("button", { name: "Stop the search" }));
	expect(await screen.findByText("The search was stopped. Not searched: imagery")).toBeVisible();
	expect(stopped).toHaveLength(3);
});

it("is not offered where the site has one server", async () => {
	const { site, world } = signedInSite();
	renderWith(<FindItems site={site} />, { world });
	expect(await screen.findByRole("button", { name: "Show all" })).toBeVisible();
	expect(screen.queryByLabelText(title)).toBeNull();
});
