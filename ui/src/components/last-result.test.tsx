import { screen, waitFor, within } from "@testing-library/react";
import { App } from "@/app/app";
import { newRun } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { lastAt, renderWith, signedInSite } from "@/test/render";

const link = (name: string) => within(screen.getByRole("navigation")).getByRole("button", { name });

const last = () => screen.queryByRole("group", { name: "Last result" });

/** Opens the page of the server export after an export. */
async function afterAnExport() {
	const { site, world } = signedInSite();
	const view = renderWith(<App />, fakeBackend({ world }), lastAt(site.id));
	await screen.findByRole("heading", { level: 1, name: "Overview" });
	await view.user.click(link("Server export"));
	await screen.findByRole("heading", { level: 1, name: "Server export" });
	expect(last()).toBeNull();
	await view.user.click(screen.getByRole("button", { name: "Choose a destination and export" }));
	await screen.findByText(/^Exported City GIS/);
	return view;
}

test("a page opens with its form, and the last result is one line above it", async () => {
	const { user } = await afterAnExport();
	await user.click(link("Overview"));
	await user.click(link("Server export"));

	await waitFor(() => expect(last()).toHaveTextContent(/^Last: Succeeded, /));
	expect(screen.getByRole("button", { name: "Choose a destination and export" })).toBeVisible();
	expect(screen.queryByText(/^Exported City GIS/)).toBeNull();

	await user.click(screen.getByRole("button", { name: "Show" }));
	expect(screen.getByText(/^Exported City GIS/)).toBeVisible();
	expect(last()).toBeNull();
});

test("the last result continues the line of the description, so that the form begins higher", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(<App />, fakeBackend({ world }), lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: "Server export" }));
	const line = (await screen.findByText("Last: none recorded")).parentElement?.parentElement;
	expect(line).toHaveTextContent("Exports the configuration of the server site to a file. Last: none recorded");
});

test("the line of the last result is there before it is read, so that the form does not move under a click", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	let read = () => {};
	const search = backend.searchHistory;
	const held = new Promise<void>((resolve) => {
		read = resolve;
	});
	vi.spyOn(backend, "searchHistory").mockImplementation(async (...asked) => held.then(() => search(...asked)));
	await backend.exportServer({ site: site.id, server: site.currentServer }, newRun("run"), {
		place: { kind: "serverFolder", location: "/srv/exports" },
	});
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: "Server export" }));
	await screen.findByRole("button", { name: "Choose a destination and export" });
	const line = () => document.querySelector("h1")?.parentElement?.nextElementSibling;
	const room = () => [...(line()?.querySelectorAll("span[aria-hidden]") ?? [])].map(({ textContent }) => textContent);
	const before = room();
	expect(before).toContainEqual(expect.stringMatching(/Last: Succeeded, .* Show$/));
	expect(last()).toBeNull();
	read();
	await waitFor(() => expect(last()).not.toBeNull());
	expect(line()).toHaveTextContent(/Last: Succeeded, .* Show$/);
	expect(room(), "so that a longer result takes the same room").toEqual(before);
});

test("a form without an earlier result says that none is recorded", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(<App />, fakeBackend({ world }), lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: "Server export" }));
	expect(await screen.findByText("Last: none recorded")).toBeVisible();
});

test("after Back, the result that was left is there", async () => {
	const { user } = await afterAnExport();
	await user.click(link("Overview"));
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	expect(await screen.findByText(/^Exported City GIS/)).toBeVisible();
});

test("a new export begins with a button beside the title of a result", async () => {
	const { user } = await afterAnExport();
	await user.click(screen.getByRole("button", { name: "New export" }));
	expect(screen.getByRole("button", { name: "Choose a destination and export" })).toBeVisible();
	await waitFor(() => expect(last()).toHaveTextContent(/^Last: Succeeded, /));
});

test("the last result of another day leads to its entry", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	await backend.exportServer({ site: site.id, server: site.currentServer }, newRun("run"), {
		place: { kind: "serverFolder", location: "/srv/exports" },
	});
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: "Server export" }));
	await waitFor(() => expect(last()).not.toBeNull());
	await user.click(screen.getByRole("button", { name: "Show" }));
	await screen.findByRole("heading", { level: 1, name: "History" });
});

test("the safety backup of an import is not the last result of an export", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const target = { site: site.id, server: site.currentServer };
	const exported = async () =>
		backend.exportServer(target, newRun("run"), { place: { kind: "serverFolder", location: "/srv/exports" } });
	await exported();
	const search = backend.searchHistory;
	vi.spyOn(backend, "searchHistory").mockImplementation(async (...asked) => {
		const page = await search(...asked);
		const purpose = { name: "purpose", value: "safetyBackup" };
		const backups = page.entries.map((entry) => ({
			...entry,
			id: `${entry.id} backup`,
			outcome: "failed" as const,
			parameters: [...entry.parameters, purpose],
		}));
		return { ...page, entries: [...backups, ...page.entries] };
	});
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: "Server export" }));
	await waitFor(() => expect(last()).toHaveTextContent(/^Last: Succeeded, /));
});
