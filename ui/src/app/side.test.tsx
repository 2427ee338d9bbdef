import { screen, waitFor, within } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { axeFindings, lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const { site, world } = signedInSite();
const name = "Site and operations";

describe("in a window too narrow for the sidebar and the page", () => {
	const wide = window.matchMedia;
	beforeEach(() => {
		window.matchMedia = (query) => ({ ...wide(query), matches: query === "(max-width: 700px)" });
	});
	afterEach(() => {
		window.matchMedia = wide;
	});

	test("the sidebar comes over the page when it is called, and goes when somewhere else is chosen", async () => {
		const { user } = renderWith(<App />, fakeBackend({ world }), lastAt(site.id));
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		expect(screen.queryByRole("navigation")).not.toBeInTheDocument();

		await user.click(screen.getByRole("button", { name }));
		const side = within(await screen.findByRole("dialog", { name }));
		expect(await axeFindings()).toEqual([]);
		await user.click(side.getByRole("button", { name: "Data store items" }));
		await screen.findByRole("heading", { level: 1, name: "Data store items" });
		await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
	});

	test("Escape leaves it, and leads back to its button", async () => {
		const { user } = renderWith(<App />, fakeBackend({ world }), lastAt(site.id));
		const button = await screen.findByRole("button", { name });
		await user.click(button);
		await screen.findByRole("dialog", { name });
		await user.keyboard("{Escape}");
		await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
		await waitFor(() => expect(button).toHaveFocus());
	});
});
