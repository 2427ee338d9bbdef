import { screen, waitFor, within } from "@testing-library/react";
import type { SiteView } from "@/bridge";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { queryKeys, useSites } from "@/lib/queries";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import { WithPlace } from "@/test/where";
import { SitesPage } from "./sites-page";

const day = 86_400_000;

function other(id: string, name: string, more: Partial<SiteView> = {}): SiteView {
	return { ...signedInSite().site, id, name, username: null, ...more };
}

function Page() {
	const sites = useSites().data;
	return sites ? <SitesPage sites={sites} practiceOffer={null} /> : null;
}

function shown(sites: SiteView[], options: MemoryOptions = {}) {
	return renderWith(
		<WithPlace>
			<Page />
		</WithPlace>,
		{ ...options, world: { ...options.world, sites } },
	);
}

const card = async (name: string) => within(await screen.findByRole("listitem", { name }));
const cards = () => within(screen.getByRole("list", { name: "Sites", hidden: true }));
const order = () =>
	cards()
		.getAllByRole("listitem", { hidden: true })
		.map((one) => one.getAttribute("aria-label"));

test("a card says what is known without asking the site, and since when", async () => {
	const city = other("city", "City GIS", {
		username: "gisadmin",
		seen: { portalVersion: "11.3", serverVersion: null, at: Date.parse("2026-10-12T10:00:00Z") },
		portalExport: Date.now() - 3 * day,
		serverExport: Date.now() - 12 * day,
		readOnly: true,
	});
	const { backend, queries } = shown([city]);
	const city_ = await card("City GIS");
	expect(city_.getByText("portal 11.3 (as of October 12, 2026)")).toBeVisible();
	expect(city_.getByText("Last signed in as gisadmin")).toBeVisible();
	expect(city_.getByText("Read-only")).toBeVisible();
	expect(city_.getByText(/Portal exported/)).toHaveTextContent("Portal exported 3 days ago");
	expect(city_.getByText(/Server exported/)).toHaveTextContent("Server exported 12 days ago");
	expect(await axeFindings()).toEqual([]);

	queries.setQueryData(queryKeys.session(cityServer), signedInSite().session);
	expect(await city_.findByText(/^Signed in: gisadmin, until/)).toBeVisible();
	expect(city_.getByText("portal 11.3 · server 11.3")).toBeVisible();
	expect(await backend.session(cityServer)).toBeNull();
});

test("sites are moved with the keyboard alone, and the program keeps the order", async () => {
	const { user, backend } = shown([other("a", "Alder"), other("b", "Birch"), other("c", "Cedar")]);
	(await card("Birch")).getByRole("button", { name: "More commands for Birch" }).focus();
	await user.keyboard("{Enter}");
	const down = await screen.findByRole("menuitem", { name: "Move down" });
	down.focus();
	await user.keyboard("{Enter}");
	await waitFor(() => expect(order()).toEqual(["Alder", "Cedar", "Birch"]));
	expect(screen.getByText("Birch is now number 3 of 3.")).toBeInTheDocument();
	expect((await backend.listSites()).map(({ id }) => id)).toEqual(["a", "c", "b"]);
});

/** Cards that stand in a row, a hundred apart. */
function inARow() {
	vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
		const at = [...document.querySelectorAll("[role=listitem]")].indexOf(this.closest("[role=listitem]") ?? this);
		return new DOMRect(Math.max(at, 0) * 100, 0, 90, 90);
	});
}

test("a card is taken up by its grip with the keyboard, moved and put down", async () => {
	inARow();
	const { user, backend } = shown([other("a", "Alder"), other("b", "Birch"), other("c", "Cedar")]);
	(await card("Alder")).getByRole("button", { name: "Move Alder" }).focus();
	expect(await axeFindings()).toEqual([]);
	await user.keyboard("[Space]");
	expect(await screen.findByText("Alder is picked up. It is number 1 of 3.")).toBeInTheDocument();
	await user.keyboard("[ArrowRight]");
	expect(await screen.findByText("Alder is over number 2 of 3.")).toBeInTheDocument();
	await user.keyboard("[Space]");
	await waitFor(() => expect(order()).toEqual(["Birch", "Alder", "Cedar"]));
	expect(await screen.findByText("Alder is now number 2 of 3.")).toBeInTheDocument();
	expect((await backend.listSites()).map(({ id }) => id)).toEqual(["b", "a", "c"]);
});

test("a card that is let go with Escape stays where it was", async () => {
	inARow();
	const { user, backend } = shown([other("a", "Alder"), other("b", "Birch")]);
	(await card("Alder")).getByRole("button", { name: "Move Alder" }).focus();
	await user.keyboard("[Space]");
	await screen.findByText("Alder is picked up. It is number 1 of 2.");
	await user.keyboard("[ArrowRight]");
	await user.keyboard("[Escape]");
	expect(await screen.findByText("Alder stays number 1 of 2.")).toBeInTheDocument();
	expect((await backend.listSites()).map(({ id }) => id)).toEqual(["a", "b"]);
});

test("an order that cannot be kept is said, and the cards stay where they were", async () => {
	const fail = {
		orderSites: { kind: "file", path: "/sites.json", message: "disk full", kept: null, full: null },
	} as const;
	const { user } = shown([other("a", "Alder"), other("b", "Birch")], { fail });
	await user.click(await screen.findByRole("button", { name: "More commands for Birch" }));
	await user.click(await screen.findByRole("menuitem", { name: "Move up" }));
	expect(await screen.findByText("/sites.json")).toBeVisible();
	expect(order()).toEqual(["Alder", "Birch"]);
});

test("duplicating and editing lead to the form", async () => {
	const { user } = shown([other("a", "Alder")]);
	await user.click(await screen.findByRole("button", { name: "More commands for Alder" }));
	await user.click(await screen.findByRole("menuitem", { name: "Duplicate" }));
	expect(screen.getByTestId("place")).toHaveTextContent("edit-site a true");
});

test("profiles are exported into one file, and it is said what is not in it", async () => {
	const { user } = shown([other("a", "Alder"), other("b", "Birch")]);
	await user.click(await screen.findByRole("button", { name: "More commands for all sites" }));
	await user.click(await screen.findByRole("menuitem", { name: "Export 2 profiles" }));
	expect(await screen.findByText("/home/sam/Documents/site-profiles.json")).toBeVisible();
	expect(screen.getByRole("status", { name: "Exported 2 profiles" })).toBeVisible();
	expect(screen.getByText(/It contains no passwords, sessions, certificates, or trust settings/)).toBeVisible();
});

test("what goes with a removed site is said before, unsaved invitations above all", async () => {
	const kept = { kept: "k", fileName: "guest.invite", refreshedAt: 0, expired: true, site: "a" };
	const world = { keptInvitations: [kept, { ...kept, kept: "l", site: "b" }] };
	const { user, backend } = shown([other("a", "Alder"), other("b", "Birch")], { world });
	await user.click(await screen.findByRole("button", { name: "More commands for Alder" }));
	await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
	expect(await screen.findByText(/1 refreshed invitation of this site is not saved/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await fill(user, screen.getByLabelText("Reason"), "Switched off");
	await user.click(screen.getByRole("button", { name: "Remove site and unsaved invitation" }));
	await waitFor(() => expect(order()).toEqual(["Birch"]));
	expect(await backend.listUnsavedInvitations("a")).toEqual([]);
	expect(await backend.listUnsavedInvitations("b")).toHaveLength(1);
});

test("a production site is removed with a reason, and a read-only one while it is unlocked", async () => {
	const alder = { ...other("a", "Alder"), environment: "production" as const };
	const { user } = shown([alder, { ...other("b", "Birch"), readOnly: true }]);
	await user.click(await screen.findByRole("button", { name: "More commands for Alder" }));
	await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
	await user.click(await screen.findByRole("button", { name: "Remove site" }));
	expect(await screen.findByText("Enter a reason of at least 3 characters.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await fill(user, screen.getByLabelText("Reason"), "Switched off");
	await user.click(screen.getByRole("button", { name: "Remove site" }));
	await waitFor(() => expect(order()).toEqual(["Birch"]));
	await user.click(await screen.findByRole("button", { name: "More commands for Birch" }));
	await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
	await user.click(await screen.findByRole("button", { name: "Remove site" }));
	expect(await screen.findByText(/read-only and locked/)).toBeVisible();
	expect(order()).toEqual(["Birch"]);
});

test("a site that cannot be removed stays, and why is said", async () => {
	const fail = { removeSite: { kind: "keyring", state: "locked", message: "" } } as const;
	const { user } = shown([other("a", "Alder")], { fail });
	await user.click(await screen.findByRole("button", { name: "More commands for Alder" }));
	await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
	await user.click(await screen.findByRole("button", { name: "Remove site" }));
	expect(await screen.findByRole("alert", { name: "The keyring is locked" })).toBeVisible();
	expect(order()).toEqual(["Alder"]);
});
