import { screen, waitFor, within } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { serverOf } from "@/lib/target";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const { site } = signedInSite();

function open(change: Partial<typeof site> = {}) {
	const { world } = signedInSite();
	const backend = fakeBackend({ world: { ...world, sites: [{ ...site, ...change }] } });
	return { ...renderWith(<App />, backend, lastAt(site.id)), backend };
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

async function search(user: ReturnType<typeof open>["user"], words: string) {
	await user.keyboard("{Control>}k{/Control}");
	await user.type(await screen.findByLabelText("Search sites, operations, pages, and actions"), words);
	return within(await screen.findByRole("dialog"));
}

describe("the palette finds", () => {
	test("the way to unlock a read-only site", async () => {
		const { user } = open({ readOnly: true });
		await heading("Overview");
		await user.keyboard("{Control>},{/Control}");
		await heading("Settings");
		const found = await search(user, "unlock");
		await user.click(found.getByRole("button", { name: "Unlock City GIS" }));
		expect(await screen.findByRole("button", { name: "Unlock for 15 minutes" })).toBeVisible();
	});

	test("the deactivated webhooks that can be active again", async () => {
		const { user } = open();
		await heading("Overview");
		const found = await search(user, "reactivate");
		await user.click(found.getByRole("button", { name: "Reactivate webhooks" }));
		await heading("Webhooks");
	});

	test("the search for updates, and begins it", async () => {
		const { user, backend } = open();
		const check = vi.spyOn(backend, "checkForUpdate");
		await heading("Overview");
		const found = await search(user, "updates");
		await user.click(found.getByRole("button", { name: "Check for updates" }));
		await heading("Settings");
		expect(check).toHaveBeenCalledTimes(1);
	});

	test("the way to sign out", async () => {
		const { user, backend } = open();
		const signOut = vi.spyOn(backend, "signOut");
		await heading("Overview");
		const found = await search(user, "sign out");
		await user.click(found.getByRole("button", { name: "Sign out" }));
		await waitFor(() => expect(signOut).toHaveBeenCalledWith(site.id));
	});

	test("a service of the site, once they were listed, without asking the site again", async () => {
		const { user, backend } = open();
		const list = vi.spyOn(backend, "listServices");
		await heading("Overview");
		expect((await search(user, "hydrants")).queryByText("Services")).toBeNull();
		expect(list).not.toHaveBeenCalled();
		await user.keyboard("{Escape}");
		await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
		await user.keyboard("{Control>}5{/Control}");
		await screen.findByRole("searchbox", { name: /^Search/ });
		await user.keyboard("{Control>}1{/Control}");
		await heading("Overview");
		list.mockClear();
		const found = await search(user, "hydrants");
		await user.click(await found.findByRole("button", { name: /Hydrants ?\.FeatureServer$/ }));
		await heading("Webhooks");
		expect(await screen.findByRole("searchbox", { name: /^Search/ })).toHaveDisplayValue(/Hydrants\.FeatureServer$/);
		expect(list).not.toHaveBeenCalled();
	});

	test("a data store item, of what was found last", async () => {
		const { user, backend } = open();
		const all = { parentPath: "", ancestorPath: "/", types: "", id: "", isManaged: null };
		const query = { column: "name" as const, descending: false, filter: "", type: null };
		const ended = await backend.findItems(serverOf(site), "run", all, { query, most: 100, apart: false });
		const one = ended.kind === "done" ? ended.report.first.rows[0] : undefined;
		await heading("Overview");
		const found = await search(user, one?.path ?? "");
		await user.click(await found.findByRole("button", { name: new RegExp(`${one?.path}$`) }));
		await heading("Data store items");
		await waitFor(() => expect(screen.getByRole("searchbox", { name: /^Filter/ })).toHaveValue(one?.path));
	});

	describe("on a site with several servers", () => {
		const named = (id: string) => ({ ...site.servers[0], id, name: id }) as (typeof site.servers)[number];
		const servers = [named("gisapp01"), named("gisapp02"), named("imagery")];
		const change = { servers, currentServer: "gisapp01" };

		/** Reads the services of a server, as its page does. */
		async function readAt(server: string, { user }: ReturnType<typeof open>) {
			const found = await search(user, `${server} of`);
			await user.click(found.getByRole("button", { name: new RegExp(`${server}.* of .*City GIS`) }));
			await user.keyboard("{Control>}5{/Control}");
			await screen.findByRole("searchbox", { name: /^Search/ });
			await user.keyboard("{Control>}1{/Control}");
			await heading("Overview");
		}

		test("a service of each server that was listed, with the name of its server", async () => {
			const view = open(change);
			await heading("Overview");
			await readAt("gisapp01", view);
			await readAt("imagery", view);
			const none = await search(view.user, "nothing of that name");
			expect(none.getByText(/are found once its pages listed them/)).toBeVisible();
			await view.user.keyboard("{Escape}");
			await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
			const found = await search(view.user, "hydrants");
			expect(await found.findByRole("button", { name: /Hydrants ?\.FeatureServer ?gisapp01$/ })).toBeVisible();
			expect(found.queryByRole("button", { name: /gisapp02$/ })).toBeNull();
			await view.user.click(found.getByRole("button", { name: /Hydrants ?\.FeatureServer ?imagery$/ }));
			await screen.findByRole("heading", { level: 1, name: /^Webhooks ?imagery/ });
		});

		test("a webhook by its name, with its service and server", async () => {
			const view = open(change);
			await heading("Overview");
			await readAt("gisapp01", view);
			const found = await search(view.user, "hydrant-archive");
			const hit = await found.findByRole("button", { name: /Hydrants\.FeatureServer on gisapp01$/ });
			await view.user.click(hit);
			expect(await screen.findByRole("searchbox", { name: /^Search/ })).toHaveDisplayValue(/Hydrants\.FeatureServer$/);
		});

		test("the services of a server, without a change of the current one", async () => {
			const { user, backend } = open(change);
			const check = vi.spyOn(backend, "checkServices");
			await heading("Overview");
			const found = await search(user, "services of imagery");
			await user.click(await found.findByRole("button", { name: /^Services of imagery/ }));
			const section = within(await screen.findByRole("region", { name: "Services of imagery" }));
			await user.click(section.getByRole("button", { name: "Check services" }));
			expect(check).toHaveBeenCalledWith({ site: site.id, server: "imagery" });
			expect((await backend.listSites())[0]?.currentServer).toBe("gisapp01");
		});
	});
});
