import { act, screen, waitFor, within } from "@testing-library/react";
import { type Concern, newRun, type OperationKey } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { serverForm } from "@/bridge/fake-backend/world";
import { axeFindings, fill, lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const servers = ["gisapp01", "gisapp02", "gisimg01"].map((name) => ({
	...serverForm(name, `https://${name}.example.org/server`),
	id: name,
}));

/** Opens the app at a site with three servers. The first is the current one. */
async function open(endless: MemoryOptions["endless"] = []) {
	const { site, world } = signedInSite();
	const several = { ...site, server: servers[0]?.address ?? null, servers, currentServer: "gisapp01" };
	const backend = fakeBackend({ world: { ...world, sites: [several] }, endless });
	const view = renderWith(<App />, backend, lastAt(site.id));
	await screen.findByRole("heading", { level: 1, name: "Overview" });
	return { ...view, backend };
}

async function goTo(user: Awaited<ReturnType<typeof open>>["user"], operation: string) {
	const nav = within(screen.getByRole("navigation"));
	await user.click(nav.getByRole("button", { name: new RegExp(operation) }));
}

describe("on a site with several servers", () => {
	test.each<[OperationKey, string]>([
		["export_server", "Server export"],
		["import_server", "Server import"],
		["deactivate_webhooks", "Webhooks"],
		["find_items", "Data store items"],
	])("the page of %s names the server in its title and in the bar", async (_, link) => {
		const { user } = await open();
		await goTo(user, link);
		expect(await screen.findByRole("heading", { level: 1, name: /gisapp01/ })).toBeVisible();
		expect(within(screen.getByRole("banner")).getByRole("button", { name: "Server: gisapp01" })).toBeVisible();
	});

	test("pages of the whole site name no server", async () => {
		const { user } = await open();
		const noServer = () => expect(screen.queryByRole("button", { name: /^Server: / })).toBeNull();
		noServer();
		await goTo(user, "Portal export");
		expect(await screen.findByRole("heading", { level: 1, name: "Portal export" })).toBeVisible();
		noServer();
	});

	test("another one is chosen in the bar, and the page is about it", async () => {
		const { user } = await open();
		await goTo(user, "Server export");
		await user.click(await screen.findByRole("button", { name: "Server: gisapp01" }));
		await user.click(await screen.findByRole("menuitem", { name: /gisapp02/ }));
		expect(await screen.findByRole("heading", { level: 1, name: /gisapp02/ })).toBeVisible();
		expect(screen.getByRole("button", { name: "Export gisapp02 of City GIS…" })).toBeVisible();
	});

	test("a file that was chosen for one server is not chosen for another, and each keeps what was entered for it", async () => {
		const { user } = await open();
		const choose = async (from: string, to: string) => {
			await user.click(await screen.findByRole("button", { name: `Server: ${from}` }));
			await user.click(await screen.findByRole("menuitem", { name: new RegExp(to) }));
			await screen.findByRole("heading", { level: 1, name: new RegExp(to) });
		};
		const file = () => screen.findByRole("combobox", { name: "Uploaded file" });
		await goTo(user, "Server import");
		await screen.findByRole("heading", { level: 1, name: /gisapp01/ });
		await user.click(await file());
		await user.click(await screen.findByRole("option", { name: /Nov-13/ }));
		expect(await file()).toHaveDisplayValue(/Nov-13/);
		await fill(user, screen.getByLabelText("Reason or ticket (optional)"), "CHG-2291");
		await choose("gisapp01", "gisapp02");
		expect(await file()).toHaveDisplayValue("");
		await choose("gisapp02", "gisapp01");
		expect(await file()).toHaveDisplayValue(/Nov-13/);
		expect(screen.getByLabelText("Reason or ticket (optional)")).toHaveValue("CHG-2291");
	});

	test("the menu shows each server's worst fact, and what was not looked at as not checked", async () => {
		const { site, world } = signedInSite();
		const about = { kind: "notSignedIn", checkedAt: 0 } as const;
		const concerns: Concern[] = [{ tone: "failed", server: "gisimg01", at: 0, about }];
		const serviceCheck = { checkedAt: Date.now(), services: 4, shouldRun: 4, running: 4, notRunning: [] };
		const several = { ...site, server: servers[0]?.address ?? null, servers, currentServer: "gisapp01" };
		const backend = fakeBackend({ world: { ...world, sites: [several], concerns, serviceCheck } });
		const { user } = renderWith(<App />, backend, lastAt(site.id));
		const openMenu = async () => {
			await goTo(user, "Server export");
			await user.click(await screen.findByRole("button", { name: "Server: gisapp01" }));
		};
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		await openMenu();
		expect(await screen.findByRole("menuitem", { name: /gisapp02.*not checked/ })).toBeVisible();
		expect(screen.getByRole("menuitem", { name: /gisimg01.*Not signed in to gisimg01/ })).toBeVisible();
		expect(await axeFindings()).toEqual([]);
		await user.keyboard("{Escape}");
		await user.click(screen.getByRole("button", { name: "Overview" }));
		await user.click(await screen.findByRole("button", { name: "Check now" }));
		await screen.findAllByText("4 of 4");
		await openMenu();
		expect(await screen.findByRole("menuitem", { name: /gisapp02.*4 of 4 running/ })).toBeVisible();
	});

	test("the menu says of a check that did not return everything that it is incomplete", async () => {
		const { site, world } = signedInSite();
		const checked = { checkedAt: Date.now(), services: 6, shouldRun: 4, running: 4, notRunning: [] };
		const several = { ...site, server: servers[0]?.address ?? null, servers, currentServer: "gisapp01" };
		const backend = fakeBackend({
			world: { ...world, sites: [several], serviceCheck: { ...checked, unlisted: ["Sensors"] } },
		});
		const { user } = renderWith(<App />, backend, lastAt(site.id));
		await user.click(await screen.findByRole("button", { name: "Check now" }));
		await screen.findAllByText("4 of 4");
		await goTo(user, "Server export");
		await user.click(await screen.findByRole("button", { name: "Server: gisapp01" }));
		const fact = await screen.findByRole("menuitem", { name: /gisapp02.*4 of 4 running, .*incomplete/ });
		expect(fact.querySelector("svg[stroke='var(--tone-succeeded)']")).toBeNull();
	});

	const busy = { kind: "busy", siteName: "City GIS", operation: "export_server", act: null, startedAt: 0 } as const;

	test("one that cannot be saved as the current one is shown all the same, and so is the reason", async () => {
		const { user, backend } = await open();
		backend.chooseServer = () => Promise.reject(busy);
		await goTo(user, "Server export");
		await user.click(await screen.findByRole("button", { name: "Server: gisapp01" }));
		await user.click(await screen.findByRole("menuitem", { name: /gisapp02/ }));
		expect(await screen.findByText("Could not save the current server of City GIS")).toBeVisible();
		expect(screen.getByText(/^Server export has been running/)).toBeVisible();
		expect(screen.getByRole("heading", { level: 1, name: /gisapp02/ })).toBeVisible();
		await user.click(await screen.findByRole("button", { name: "Server: gisapp02" }));
		expect(await screen.findByRole("menuitem", { name: /gisapp02/ })).toHaveAttribute("aria-current", "true");
	});

	test("what runs on another one leads to the page of that one", async () => {
		const { user, backend } = await open(["exportServer"]);
		void backend.exportServer({ site: "city", server: "gisimg01" }, newRun("run"), {
			place: { kind: "serverFolder", location: "/srv" },
		});
		await user.click(await screen.findByRole("button", { name: /^Show .*gisimg01/ }));
		expect(await screen.findByRole("heading", { level: 1, name: /Server export.*gisimg01/ })).toBeVisible();
	});

	test("what ends on another one is told beside the page of this one", async () => {
		const { user, backend } = await open(["exportServer"]);
		await goTo(user, "Server export");
		await user.click(await screen.findByRole("button", { name: "Export gisapp01 of City GIS…" }));
		await screen.findByRole("button", { name: /^Show Server export on gisapp01/ });
		await user.click(screen.getByRole("button", { name: "Server: gisapp01" }));
		await user.click(await screen.findByRole("menuitem", { name: /gisapp02/ }));
		await screen.findByRole("heading", { level: 1, name: /gisapp02/ });
		const [run] = (await backend.listRuns()).running;
		await act(() => backend.stopRun(run?.id ?? ""));
		await waitFor(async () => expect((await backend.listRuns()).running).toEqual([]));
		const panel = within(screen.getByRole("region", { name: "Operations panel" }));
		await user.click(panel.getByRole("button", { name: /^Check outcome of Server export on gisapp01/ }));
		expect((await backend.listRuns()).ended).toHaveLength(1);
	});

	test("the palette finds each, and leads to the page of now with it", async () => {
		const { user } = await open();
		await goTo(user, "Server import");
		await screen.findByRole("heading", { level: 1, name: /gisapp01/ });
		await user.keyboard("{Control>}k{/Control}");
		await user.type(await screen.findByLabelText("Search sites, operations, pages, and actions"), "gisimg01");
		await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: /gisimg01 of City GIS/ }));
		expect(await screen.findByRole("heading", { level: 1, name: /Server import.*gisimg01/ })).toBeVisible();
	});
});

test("a site with one server names it nowhere", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(<App />, fakeBackend({ world }), lastAt(site.id));
	await screen.findByRole("heading", { level: 1, name: "Overview" });
	await goTo(user, "Server export");
	expect(await screen.findByRole("heading", { level: 1, name: "Server export" })).toBeVisible();
	expect(screen.queryByRole("button", { name: /^Server: / })).toBeNull();
});
