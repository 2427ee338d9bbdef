import { screen, waitFor, within } from "@testing-library/react";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { unsavedConcern } from "@/test/deactivation";
import { planOf } from "@/test/plans";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

function open(more: MemoryOptions["world"] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<App />, fakeBackend({ world: { ...world, sites: [site], ...more } }), lastAt(site.id));
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const palette = () => screen.findByLabelText("Search sites, operations, pages, and actions");

describe("whoever moves to another page is at its heading", () => {
	test("by the keys, and Enter does not press what was pressed before", async () => {
		const { user } = open();
		await heading("Overview");
		screen.getByRole("button", { name: "Server import" }).focus();
		await user.keyboard("{Control>}2{/Control}");
		await waitFor(async () => expect(await heading("Portal export")).toHaveFocus());
		await user.keyboard("{Enter}");
		expect(await heading("Portal export")).toHaveFocus();
		await user.keyboard("{Control>},{/Control}");
		await waitFor(async () => expect(await heading("Settings")).toHaveFocus());
	});

	test("by the sidebar", async () => {
		const { user } = open();
		await heading("Overview");
		await user.click(screen.getByRole("button", { name: "History" }));
		await waitFor(async () => expect(await heading("History")).toHaveFocus());
	});

	test("by the palette", async () => {
		const { user } = open();
		await heading("Overview");
		await user.keyboard("{Control>}k{/Control}");
		await user.type(await palette(), "Portal ex{ArrowDown}{Enter}");
		await waitFor(async () => expect(await heading("Portal export")).toHaveFocus());
	});

	test("by Back and Forward", async () => {
		const { user } = open();
		await heading("Overview");
		await user.keyboard("{Control>}2{/Control}");
		await user.click(await screen.findByLabelText(/^Folder the portal can write to/));
		await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
		await waitFor(async () => expect(await heading("Overview")).toHaveFocus());
		await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
		await waitFor(async () => expect(await heading("Portal export")).toHaveFocus());
	});

	test("once more, when the page on screen is chosen again", async () => {
		const { user } = open();
		await heading("Overview");
		await user.keyboard("{Control>}2{/Control}");
		await user.click(await screen.findByLabelText(/^Folder the portal can write to/));
		await user.keyboard("{Control>}2{/Control}");
		await waitFor(async () => expect(await heading("Portal export")).toHaveFocus());
	});

	test("not at the start: Tab begins at the first part of the window", async () => {
		open();
		await heading("Overview");
		expect(document.body).toHaveFocus();
	});
});

test("a chosen plan, or the services of a chosen server, are still on the page where they were chosen", async () => {
	const { site } = signedInSite();
	const [one, other] = [planOf(site), planOf(site)];
	const plans = [one, { ...other, plan: { ...other.plan, id: "weekly", name: "Weekly" } }];
	const services = { checkedAt: Date.now(), services: 3, shouldRun: 3, running: 3, notRunning: [] };
	const { user } = open({ plans, serviceCheck: services });
	await heading("Overview");
	await user.click(await screen.findByRole("button", { name: "Check now" }));
	const count = await screen.findByRole("button", { name: "3 of 3" });
	await user.click(count);
	await screen.findByRole("region", { name: /^Services of/ });
	expect(count).toHaveFocus();
	await user.click(within(screen.getByRole("navigation")).getByRole("button", { name: "Backup plans" }));
	const plan = await screen.findByRole("button", { name: "Show the sets of Weekly" });
	await user.click(plan);
	await waitFor(() => expect(plan.closest("tr")).toHaveAttribute("aria-current", "true"));
	expect(plan).toHaveFocus();
});

test.each(["{Control>}2{/Control}", "{Control>},{/Control}", "{Control>}{Shift>}H{/Shift}{/Control}"])(
	"%s leads nowhere while a dialog is open",
	async (keys) => {
		const { user } = open();
		await heading("Overview");
		await user.keyboard("{Shift>}?{/Shift}");
		const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
		await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
		await user.keyboard(keys);
		expect(dialog).toBeVisible();
		await user.keyboard("{Escape}");
		await waitFor(() => expect(dialog).not.toBeInTheDocument());
		await heading("Overview");
	},
);

test("a tooltip under a resting pointer does not stay over the next page", async () => {
	const { user } = open({ concerns: [unsavedConcern] });
	const link = await screen.findByRole("button", { name: "Invitations" });
	await waitFor(() => expect(link).toHaveAccessibleDescription("1 refreshed invitation is not saved to a file"));
	await user.hover(link);
	expect(await screen.findByRole("tooltip")).toBeVisible();
	await user.keyboard("{Control>}3{/Control}");
	await heading("Server export");
	await waitFor(() => expect(screen.queryByRole("tooltip")).not.toBeInTheDocument());
	// The tooltip appears again when the pointer returns.
	await user.unhover(link);
	await user.hover(link);
	expect(await screen.findByRole("tooltip")).toBeVisible();
});
