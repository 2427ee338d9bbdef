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
});
