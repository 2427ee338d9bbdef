import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { newRun } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { axeFindings, lastAt, renderWith, signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import { App } from "./app";

function open(role = "administrator") {
	const { world } = signedInSite(role);
	const backend = fakeBackend({ world });
	return { ...renderWith(<App />, backend, lastAt("city")), happen: backend.happen };
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

describe("the menu in the bar", () => {
	test("leads whoever knows no key to the palette, the keys and the help, and says their keys", async () => {
		const { user } = open();
		await heading("Overview");
		const choose = async (name: RegExp) => {
			await user.click(screen.getByRole("button", { name: "Menu" }));
			await user.click(await screen.findByRole("menuitem", { name }));
		};
		await choose(/^Command palette….*K$/);
		await user.type(await screen.findByLabelText("Search sites, operations, pages, and actions"), "{Escape}");
		await choose(/^Keyboard shortcuts/);
		await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
		await user.keyboard("{Escape}");
		await choose(/^Help/);
		await heading("Help");
		await user.click(screen.getByRole("button", { name: "Menu" }));
		await screen.findByRole("menuitem", { name: /^Zoom out/ });
		expect(await axeFindings()).toEqual([]);
	});
});

describe("the palette", () => {
	test("takes no key to the field that had the focus, which has it again afterwards", async () => {
		open();
		// No timer runs between two keys, so that nothing can load in between.
		const user = userEvent.setup({ delay: null });
		await heading("Overview");
		await user.keyboard("{Control>}2{/Control}");
		const folder = await screen.findByLabelText(/^Folder the portal can write to/);
		await user.type(folder, "/srv");
		await user.keyboard("{Control>}k{/Control}abc");
		expect(folder).toHaveValue("/srv");
		const search = await screen.findByLabelText("Search sites, operations, pages, and actions");
		await waitFor(() => expect(search).toHaveFocus());
		await user.keyboard("{Escape}");
		await waitFor(() => expect(folder).toHaveFocus());
	});

	test("finds an operation by its name and goes there", async () => {
		const { user } = open();
		await heading("Overview");
		await user.keyboard("{Control>}k{/Control}");
		const search = await screen.findByLabelText("Search sites, operations, pages, and actions");
		expect(await axeFindings()).toEqual([]);
		await user.type(search, "invit");
		await user.keyboard("{ArrowDown}{Enter}");
		await heading("Invitations");
	});

	test.each([
		["read-only", "Edit City GIS"],
		["audit trail", "History"],
	])("finds by %s what leads there", async (words, found) => {
		const { user } = open();
		await heading("Overview");
		await user.keyboard("{Control>}k{/Control}");
		await user.type(await screen.findByLabelText("Search sites, operations, pages, and actions"), words);
		await user.keyboard("{ArrowDown}{Enter}");
		await heading(found);
	});

	test("prints the history, and offers it only there", async () => {
		const { user, happen, backend } = open();
		await backend.exportServer(cityServer, newRun("run"), { place: { kind: "serverFolder", location: "/backups" } });
		await heading("Overview");
		const search = async () => {
			await user.keyboard("{Control>}k{/Control}");
			await user.type(await screen.findByLabelText("Search sites, operations, pages, and actions"), "print the");
		};
		await search();
		expect(await screen.findByText("No results. Try a shorter search term.")).toBeInTheDocument();
		await user.keyboard("{Escape}{Control>}{Shift>}H{/Shift}{/Control}");
		await heading("History");
		await waitFor(() => expect(screen.getByRole("button", { name: "Print…" })).toBeEnabled());
		await search();
		await user.keyboard("{ArrowDown}{Enter}");
		await waitFor(() => expect(happen.prints).toBe(1));
		await user.keyboard("{Control>}p{/Control}");
		await waitFor(() => expect(happen.prints).toBe(2));
	});

	test("finds the mishaps where there are some: on the practice site", async () => {
		const { user } = open();
		const asked = "Search sites, operations, pages, and actions";
		await heading("Overview");
		await user.keyboard("{Control>}k{/Control}");
		await user.type(await screen.findByLabelText(asked), "simulated");
		expect(await screen.findByText("No results. Try a shorter search term.")).toBeInTheDocument();
		await user.keyboard("{Escape}{Control>}{Shift>}S{/Shift}{/Control}");
		await user.click(await screen.findByRole("button", { name: "Start practice site" }));
		await heading("Overview");
		await user.keyboard("{Control>}k{/Control}");
		await user.type(await screen.findByLabelText(asked), "simulated");
		await user.keyboard("{ArrowDown}{Enter}");
		await heading("Simulated faults");
		await user.keyboard("{Control>}k{/Control}");
		await user.type(await screen.findByLabelText(asked), "tour");
		await waitFor(() => expect(screen.getByRole("dialog")).toHaveTextContent("Guided tour"));
	});

	test("leaves the focus to the field of the page that it leads to", async () => {
		const { user } = open();
		await heading("Overview");
		const addSite = async () => {
			screen.getByRole("button", { name: "Select a site: City GIS" }).focus();
			await user.keyboard("{Control>}k{/Control}");
			await user.type(await screen.findByLabelText("Search sites, operations, pages, and actions"), "add site");
			await user.keyboard("{ArrowDown}{Enter}");
			await heading("Add site");
			await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
			await new Promise((done) => setTimeout(done, 30));
		};
		await addSite();
		expect(screen.getByLabelText(/^Site URL/)).toHaveFocus();
		// The page is loaded by now, so it is rendered at once.
		await user.keyboard("{Control>},{/Control}");
		await heading("Settings");
		await addSite();
		expect(screen.getByLabelText(/^Site URL/)).toHaveFocus();
	});

	test("leads to the heading of a page that wants no field, and back where one was when nothing is chosen", async () => {
		const { user } = open();
		await heading("Overview");
		const before = screen.getByRole("button", { name: "Select a site: City GIS" });
		before.focus();
		await user.keyboard("{Control>}k{/Control}");
		await screen.findByLabelText("Search sites, operations, pages, and actions");
		await user.keyboard("{Escape}");
		await waitFor(() => expect(before).toHaveFocus());
		await user.keyboard("{Control>}k{/Control}");
		await user.type(await screen.findByLabelText("Search sites, operations, pages, and actions"), "history");
		await user.keyboard("{ArrowDown}{Enter}");
		await waitFor(async () => expect(await heading("History")).toHaveFocus());
	});

	test("says why something cannot be done here", async () => {
		const { user } = open("publisher");
		await heading("Overview");
		await user.keyboard("{Control>}k{/Control}");
		const dialog = within(await screen.findByRole("dialog"));
		expect(dialog.getAllByText("Requires the default administrator role.").length).toBeGreaterThan(0);
	});
});

describe("shortcuts", () => {
	test("lead to operations and pages, from within a field as well", async () => {
		const { user } = open();
		await heading("Overview");
		await user.keyboard("{Control>}2{/Control}");
		await heading("Portal export");
		await user.click(await screen.findByLabelText(/^Folder the portal can write to/));
		await user.keyboard("{Control>},{/Control}");
		await heading("Settings");
	});

	test("select all of a field, and never the whole window", async () => {
		const { user } = open();
		await heading("Overview");
		await user.click(await heading("Overview"));
		await user.keyboard("{Control>}a{/Control}");
		expect(document.getSelection()?.toString()).toBe("");
		await user.keyboard("{Control>}2{/Control}");
		const field = await screen.findByLabelText(/^Folder the portal can write to/);
		await user.type(field, "/srv/old");
		await user.keyboard("{Control>}a{/Control}/srv/new");
		expect(field).toHaveValue("/srv/new");
	});

	test("are shown by the question mark, which stays a question mark in a field", async () => {
		const { user } = open();
		await heading("Overview");
		await user.keyboard("{Shift>}?{/Shift}");
		const overview = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
		expect(overview.getByText("Portal export")).toBeInTheDocument();
		expect(await axeFindings()).toEqual([]);
		await user.keyboard("{Escape}");
		await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
		await user.keyboard("{Control>}2{/Control}");
		const field = await screen.findByLabelText(/^Folder the portal can write to/);
		await user.click(field);
		await user.keyboard("{Shift>}?{/Shift}");
		expect(field).toHaveValue("?");
		expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
	});

	test("make everything larger and smaller within bounds", async () => {
		const { user, backend } = open();
		await heading("Overview");
		const zoom = async () => (await backend.preferences()).preferences.zoom;
		await user.keyboard("{Control>}={/Control}");
		await waitFor(async () => expect(await zoom()).toBe(110));
		await user.keyboard("{Control>}0---{/Control}");
		await waitFor(async () => expect(await zoom()).toBe(80));
	});
});

test("the menu of the application does what it says", async () => {
	const { happen } = open();
	await heading("Overview");
	act(() => happen.menu("settings"));
	await heading("Settings");
});
