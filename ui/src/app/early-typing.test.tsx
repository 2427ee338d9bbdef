import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeBackend } from "@/bridge/fake-backend";
import { axeFindings, lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

function open() {
	const { site, world } = signedInSite();
	renderWith(<App />, fakeBackend({ world }), lastAt(site.id));
	// No timer runs between two keys, so nothing can load in between.
	return userEvent.setup({ delay: null });
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const search = () => screen.findByLabelText("Search sites, operations, pages, and actions");

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
});
