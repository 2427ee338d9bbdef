import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeBackend } from "@/bridge/fake-backend";
import { replayEarlyKeys } from "@/lib/early-keys";
import { axeFindings, lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

function open() {
	const { site, world } = signedInSite();
	renderWith(<App />, fakeBackend({ world }), lastAt(site.id));
	// Nothing comes between two keys: no part is loaded, no timer runs.
	return userEvent.setup({ delay: null });
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const search = () => screen.findByLabelText("Search sites, operations, pages, and actions");

const key = (name: string, modifiers: KeyboardEventInit = {}) =>
	new KeyboardEvent("keydown", { key: name, code: name, ...modifiers, bubbles: true, cancelable: true });
const typed = (text: string) => text.split("").map((letter) => key(letter));

describe("what is typed right after Ctrl+K", () => {
	test("reaches the palette, the first time and later", async () => {
		const user = open();
		await heading("Overview");
		await user.keyboard("{Control>}k{/Control}inv");
		expect(await axeFindings()).toEqual([]);
		expect(await search()).toHaveValue("inv");
		await user.keyboard("it");
		expect(await search()).toHaveValue("invit");
		await user.keyboard("{Escape}");
		await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
		await user.keyboard("{Control>}k{/Control}his");
		await waitFor(async () => expect(await search()).toHaveValue("his"));
	});

	test("chooses there as well", async () => {
		const user = open();
		await heading("Overview");
		await user.keyboard("{Control>}k{/Control}histor{Enter}");
		await heading("History");
	});

	test("does not reach the field that had the focus, which has it again afterwards", async () => {
		const user = open();
		await heading("Overview");
		await user.keyboard("{Control>}2{/Control}");
		const folder = await screen.findByLabelText(/^Folder the portal can write to/);
		await user.type(folder, "/srv");
		await user.keyboard("{Control>}k{/Control}abc");
		expect(folder).toHaveValue("/srv");
		await waitFor(async () => expect(await search()).toHaveFocus());
		await user.keyboard("{Escape}");
		await waitFor(() => expect(folder).toHaveFocus());
	});

	test("is kept with it while the window is not there yet", async () => {
		open();
		await heading("Overview");
		window.siteStewardKeys = [key("k", { ctrlKey: true }), ...typed("histor"), key("Enter")];
		act(replayEarlyKeys);
		await heading("History");
	});

	test("is corrected by Backspace while the window is not there yet", async () => {
		open();
		await heading("Overview");
		const corrected = [...typed("hisx"), key("Backspace"), ...typed("t")];
		window.siteStewardKeys = [key("k", { ctrlKey: true }), key("Backspace"), ...corrected];
		act(replayEarlyKeys);
		expect(await search()).toHaveValue("hist");
	});

	test("keeps what AltGr makes on Windows, where it is Ctrl and Alt, and takes no shortcut for a letter", async () => {
		open();
		await heading("Overview");
		const altGr = key("@", { ctrlKey: true, altKey: true });
		vi.spyOn(altGr, "getModifierState").mockImplementation((name) => name === "AltGraph");
		window.siteStewardKeys = [key("k", { ctrlKey: true }), ...typed("a"), altGr, key("y", { ctrlKey: true })];
		act(replayEarlyKeys);
		expect(await search()).toHaveValue("a@");
	});
});
