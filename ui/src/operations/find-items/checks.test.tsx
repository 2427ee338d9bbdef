import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { ItemValidation } from "@/bridge";
import { serverOf } from "@/lib/target";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { FindItems } from "./form";

// The list renders only visible rows, and elements have no size in this environment.
beforeEach(() => {
	for (const side of ["clientHeight", "offsetHeight"] as const) {
		vi.spyOn(HTMLElement.prototype, side, "get").mockReturnValue(600);
	}
	vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1_000);
});

type Options = Exclude<NonNullable<Parameters<typeof renderWith>[1]>, { listSites: unknown }>;

/** Opens the page with all items of a site. */
async function shown({ world, ...options }: Options = {}) {
	const { site, world: usual } = signedInSite();
	const all = renderWith(<FindItems site={site} />, { world: { ...usual, ...world }, ...options });
	await all.user.click(await screen.findByRole("button", { name: "Show all" }));
	await screen.findByRole("gridcell", { name: "aerial" });
	return { ...all, site };
}

type User = Awaited<ReturnType<typeof shown>>["user"];

async function check(user: User, name: string): Promise<void> {
	await user.click(screen.getByRole("button", { name: "Check" }));
	await user.click(await screen.findByRole("menuitem", { name }));
}

async function open(user: User, name: string) {
	await user.click(screen.getByRole("gridcell", { name }));
	return within(await screen.findByRole("dialog", { name: `Details of ${name}` }));
}

function validation(changes: Partial<ItemValidation> = {}): ItemValidation {
	const at = Date.now();
	return { path: "/fileShares/aerial", at, verdict: "valid", reasons: [], machines: [], validAt: at, ...changes };
}

it("validates all items, names those that are not valid, and leads to them", async () => {
	const { user } = await shown();
	expect(screen.queryByText(/Last validation/)).toBeNull();
	await check(user, "Validate all 8 items");
	const verdict = within(await screen.findByRole("status", { name: "7 of 8 validated items are valid" }));
	expect(verdict.getByText(/Last validation/)).toBeVisible();
	expect(verdict.getByRole("listitem")).toHaveTextContent("/fileShares/aerial · Not valid");
	expect(await axeFindings()).toEqual([]);
	await user.click(verdict.getByRole("button", { name: "/fileShares/aerial" }));
	await waitFor(() => expect(screen.getByText("1 of 8 items shown")).toBeVisible());
	expect(screen.getByRole("searchbox", { name: "Filter these items" })).toHaveValue("/fileShares/aerial");
	await user.click(verdict.getByRole("button", { name: "Hide the result" }));
	expect(screen.queryByText(/validated items are valid/)).toBeNull();
	await check(user, "Validate all 8 items");
	expect(await screen.findByText(/validated items are valid/)).toBeVisible();
});

it("validates one item, and keeps the state of each machine with the time", async () => {
	const { user, backend, site } = await shown();
	const drawer = await open(user, "managed");
	const part = within(await drawer.findByRole("region", { name: "Validation" }));
	expect(await part.findByText(/^Not validated on this page\./)).toBeVisible();
	await user.click(part.getByRole("button", { name: "Validate" }));
	expect(await part.findByText("Valid")).toBeVisible();
	const machine = within(part.getByRole("table", { name: "States of the machines" })).getAllByRole("row")[1];
	expect(machine).toHaveTextContent("gis-data-1.example.orgHealthyStarted");
	expect(part.queryByText(/Last valid/)).toBeNull();
	expect(await axeFindings()).toEqual([]);
	const search = await backend.lastItemSearch(serverOf(site));
	expect(await backend.searchValidation(serverOf(site), search?.id ?? "")).toMatchObject({ valid: 1, invalid: 0 });
});

it("says why an item is not valid, and when it was", async () => {
	const validAt = new Date("2026-11-20T08:00:00").getTime();
	const reasons = ["The folder cannot be read.", "Machine GIS1: not found."];
	const invalid = validation({ verdict: "invalid", reasons, validAt });
	const { user } = await shown({ world: { itemValidations: new Map([["city", new Map([[invalid.path, invalid]])]]) } });
	const part = within(await (await open(user, "aerial")).findByRole("region", { name: "Validation" }));
	expect(await part.findByText("Not valid")).toBeVisible();
	for (const reason of reasons) expect(part.getByText(reason)).toBeVisible();
	expect(part.getByText(/Last valid:/)).toHaveTextContent(/Nov 20/);
});

it("does not take a validation that the server does not offer for a verdict", async () => {
	const none = validation({ verdict: "notValidated", reasons: ["Could not find resource."], validAt: null });
	const { user } = await shown({ world: { itemValidations: new Map([["city", new Map([[none.path, none]])]]) } });
	const said = await screen.findByRole("status", { name: "The item could not be validated" });
	expect(said).toBeVisible();
	expect(said).not.toHaveTextContent(/0 of/);
	const part = within(await (await open(user, "aerial")).findByRole("region", { name: "Validation" }));
	expect(await part.findByText("Not validated")).toBeVisible();
	expect(part.getByText(/Some versions do not validate items of this type/)).toBeVisible();
	expect(part.getByText("Could not find resource.")).toBeVisible();
	expect(part.getByText("No validation on this page has found this item valid.")).toBeVisible();
});

it("can be stopped, and says so", async () => {
	const { user } = await shown({ endless: ["validateItems"] });
	await check(user, "Validate all 8 items");
	expect(await screen.findByText("Validation of data store items")).toBeVisible();
	expect(screen.getByText("0 of 8 completed")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Check" }));
	expect(await screen.findByRole("menuitem", { name: "Validate all 8 items" })).toHaveAttribute("data-disabled");
	await user.keyboard("{Escape}");
	await user.click(screen.getByRole("button", { name: "Stop" }));
	expect(await screen.findByText("The check was stopped. Nothing was changed.")).toBeVisible();
	expect(screen.queryByText("0 of 8 completed")).toBeNull();
});

it("says that a check could not be stopped", async () => {
	const { user } = await shown({
		endless: ["validateItems"],
		fail: { stopRun: { kind: "unexpected", message: "no channel" } },
	});
	await check(user, "Validate all 8 items");
	await user.click(await screen.findByRole("button", { name: "Stop" }));
	expect(await screen.findByRole("alert", { name: /The app encountered an error/ })).toBeVisible();
});

it("tells which services use an item once the manifests are read, and what is not known", async () => {
	const { user } = await shown();
	const drawer = await open(user, "parcels");
	const part = within(await drawer.findByRole("region", { name: "Used by" }));
	expect(await part.findByText(/Not known yet/)).toBeVisible();
	await user.click(part.getByRole("button", { name: "Find services" }));
	const services = within(await part.findByRole("list", { name: "Services that use this item" }));
	expect(services.getAllByRole("listitem").map((one) => one.textContent)).toEqual([
		"Parcels/Cadastre.FeatureServer",
		"Parcels/Zoning.MapServer",
	]);
	await user.click(part.getByRole("button", { name: "1 service returned no manifest" }));
	expect(await part.findByText("Routing.NAServer: The manifest was not found.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(drawer.getByRole("button", { name: "Close" }));
	const unused = within(await (await open(user, "elevation")).findByRole("region", { name: "Used by" }));
	expect(await unused.findByText(/^No manifest names this data\./)).toBeVisible();
	await user.keyboard("{Escape}");
	const tiles = within(await (await open(user, "tiles")).findByRole("region", { name: "Used by" }));
	expect(await tiles.findByText(/Manifests do not name data of this type/)).toBeVisible();
});

it("says above the table that the manifests were read, and where the services are named", async () => {
	const { user } = await shown();
	await check(user, "Find the services that use these items");
	expect(await screen.findByText(/^The manifests? of \d+ services? (was|were) read\./)).toBeVisible();
});

it("shows why the manifests were not read", async () => {
	const { user } = await shown({
		fail: { findDataUse: { kind: "rejected", code: 403, message: "No rights.", details: [] } },
	});
	await check(user, "Find the services that use these items");
	expect(await screen.findByText("No rights.")).toBeVisible();
});

it("calls a validation with a warning neither valid nor invalid, and shows the state as returned", async () => {
	const reasons = ["gis1: machine.overallhealth: HealthyWithWarning"];
	const warned = validation({ verdict: "warnings", reasons });
	const { user } = await shown({ world: { itemValidations: new Map([["city", new Map([[warned.path, warned]])]]) } });
	const said = await screen.findByRole("status", { name: "1 of 1 validated item is valid" });
	expect(said).toHaveTextContent("1 item is valid with warnings.");
	expect(within(said).getByRole("listitem")).toHaveTextContent("/fileShares/aerial · Valid with warnings");
	const part = within(await (await open(user, "aerial")).findByRole("region", { name: "Validation" }));
	expect(await part.findByText("Valid with warnings")).toBeVisible();
	expect(part.getByText("gis1: machine.overallhealth: HealthyWithWarning")).toBeVisible();
	expect(part.queryByText(/Last valid|never found/)).toBeNull();
});
