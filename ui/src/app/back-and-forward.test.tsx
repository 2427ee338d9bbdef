import { act, screen, waitFor, within } from "@testing-library/react";

import { fakeBackend } from "@/bridge/fake-backend";
import { fill, lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

function open() {
	const { site, world } = signedInSite();
	const harbor = { ...site, id: "harbor", name: "Harbor GIS" };
	const backend = fakeBackend({ world: { ...world, sites: [site, harbor] } });
	return { ...renderWith(<App />, backend, lastAt(site.id)), happen: backend.happen };
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const folder = () => screen.findByLabelText(/^Folder the portal can write to/);

/** Goes from the overview to the form of an export, types there, and goes on to the settings. */
async function throughThreePages() {
	const view = open();
	await heading("Overview");
	await view.user.keyboard("{Control>}2{/Control}");
	await view.user.type(await folder(), "/srv/backups");
	await view.user.keyboard("{Control>},{/Control}");
	await heading("Settings");
	return view;
}

const press = (button: number) =>
	act(() => document.body.dispatchEvent(new MouseEvent("mouseup", { button, bubbles: true })));

test("Alt and an arrow lead back to what was typed, also from within a field, and forward again", async () => {
	const { user } = await throughThreePages();
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	expect(await folder()).toHaveValue("/srv/backups");
	await user.click(await folder());
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	await heading("Overview");
	// The overview is the first page, so Back does nothing.
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	await heading("Overview");
	await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
	await heading("Portal export");
	await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
	await heading("Settings");
});

test("on macOS brackets with ⌘ do so, and an arrow with the option key stays with the text", async () => {
	vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)");
	const { user } = await throughThreePages();
	await user.keyboard("{Meta>}[[{/Meta}");
	await user.click(await folder());
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	await heading("Portal export");
	await user.keyboard("{Meta>}]{/Meta}");
	await heading("Settings");
});

test("the buttons at the side of a mouse lead back and forward", async () => {
	await throughThreePages();
	press(3);
	await heading("Portal export");
	press(4);
	await heading("Settings");
});

test("the menu in the bar and the menu of the system lead back and forward, where there is a page", async () => {
	const { user, happen } = await throughThreePages();
	const item = async (name: RegExp) => {
		await user.click(screen.getByRole("button", { name: "Menu" }));
		return screen.findByRole("menuitem", { name });
	};
	expect(await item(/^Forward/)).toHaveAttribute("title", "No next page");
	await user.keyboard("{Escape}");
	await user.click(await item(/^Back/));
	await heading("Portal export");
	act(() => happen.menu("forward"));
	await heading("Settings");
	act(() => happen.menu("back"));
	await heading("Portal export");
});

test("nothing leads back while a dialog is open", async () => {
	const { user, happen } = await throughThreePages();
	await user.keyboard("{Shift>}?{/Shift}");
	const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
	await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
	expect(within(dialog).getByText("Back").parentElement).toHaveTextContent("BackAlt←");
	expect(within(dialog).getByText("Forward").parentElement).toHaveTextContent("ForwardAlt→");
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	press(3);
	act(() => happen.menu("back"));
	expect(dialog).toBeVisible();
	await user.keyboard("{Escape}");
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	await heading("Settings");
});

test("Back shows the report of a run as it was", async () => {
	const { user } = open();
	await heading("Overview");
	await user.keyboard("{Control>}2{/Control}");
	await fill(user, await folder(), "/srv/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	await screen.findByText(/^Exported City GIS in/);
	await user.keyboard("{Control>},{/Control}");
	await heading("Settings");
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	expect(await screen.findByText(/^Exported City GIS in/)).toBeVisible();
});

test("Back to a page of another site is at that site from then on", async () => {
	const { user, backend } = open();
	await heading("Overview");
	await user.click(screen.getByRole("button", { name: "Select a site: City GIS" }));
	await user.click(await screen.findByRole("menuitem", { name: /^Harbor GIS/ }));
	await screen.findByRole("button", { name: "Select a site: Harbor GIS" });
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	await heading("Overview");
	await user.keyboard("{Control>},{/Control}");
	await heading("Settings");
	expect(screen.getByRole("button", { name: "Select a site: City GIS" })).toBeVisible();
	await waitFor(async () => expect((await backend.preferences()).preferences.lastSite).toBe("city"));
});

test("Back skips the pages of a site that was removed", async () => {
	const { user } = open();
	await heading("Overview");
	await user.click(screen.getByRole("button", { name: "Select a site: City GIS" }));
	await user.click(await screen.findByRole("menuitem", { name: /^Harbor GIS/ }));
	await screen.findByRole("button", { name: "Select a site: Harbor GIS" });
	await user.keyboard("{Control>},{/Control}");
	await heading("Settings");
	await user.keyboard("{Control>}1{/Control}");
	await user.keyboard("{Control>}{Shift>}S{/Shift}{/Control}");
	await heading("All sites");
	await user.click(screen.getByRole("button", { name: "More commands for Harbor GIS" }));
	await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
	await fill(user, await screen.findByLabelText(/^Reason/), "Replaced by the new portal");
	await user.click(screen.getByRole("button", { name: "Remove site" }));
	await waitFor(() => expect(screen.queryByText("Harbor GIS")).toBeNull());
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	await heading("Settings");
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	await heading("Overview");
	await user.keyboard("{Alt>}{ArrowRight}{ArrowRight}{/Alt}");
	await heading("All sites");
});

test("Back in the help leads to the page of the help before, and out of it", async () => {
	const { user } = open();
	await heading("Overview");
	await user.keyboard("{Control>}2{/Control}");
	await folder();
	await user.keyboard("{F1}");
	const article = (name: string) => screen.findByRole("heading", { level: 2, name }, { timeout: 10_000 });
	await article("Export a portal");
	await user.click(
		within((await article("Export a portal")).closest("article") as HTMLElement).getByRole("button", {
			name: "Outcome: Unknown",
		}),
	);
	await article("Outcome: Unknown");
	await user.click(screen.getByRole("button", { name: "Back" }));
	await article("Export a portal");
	await user.click(screen.getByRole("button", { name: "Back" }));
	await heading("Portal export");
});

test("Back to a page is where the page was left, and a chosen page begins at its top", async () => {
	const { user } = await throughThreePages();
	const main = screen.getByRole("main");
	const scrollTo = vi.fn();
	main.scrollTo = scrollTo;
	main.scrollTop = 240;
	act(() => void main.dispatchEvent(new Event("scroll")));
	await user.keyboard("{Control>}{Shift>}H{/Shift}{/Control}");
	await heading("History");
	expect(scrollTo).toHaveBeenLastCalledWith({ top: 0 });
	await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
	await heading("Settings");
	expect(scrollTo).toHaveBeenLastCalledWith({ top: 240 });
});
