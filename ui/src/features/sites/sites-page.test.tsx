import { screen, waitFor, within } from "@testing-library/react";
import type { Concern, Recoverability, RecoverablePart, SiteView } from "@/bridge";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { queryKeys } from "@/lib/queries/keys";
import { useSites } from "@/lib/queries/program";
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

const row = async (name: string) => within(await screen.findByRole("row", { name }));
const order = () =>
	within(screen.getByRole("table", { name: "All sites", hidden: true }))
		.getAllByRole("row", { hidden: true })
		.flatMap((one) => one.getAttribute("aria-label") ?? []);

test("a site says the worst that needs somebody, with its button, and is not asked", async () => {
	const about = { kind: "services", count: 2, services: [], checkedAt: Date.now() } satisfies Concern["about"];
	const concerns: Concern[] = [
		{ tone: "failed", server: "server", at: Date.now(), about },
		{ tone: "warnings", server: null, at: 0, about: { kind: "unsavedInvitations", count: 1 } },
	];
	const recoverable: Recoverability = {
		to: { kind: "time", at: Date.now() - 12 * day, expectedBy: null },
		parts: [],
		dataStores: { kind: "missing", checkedAt: null },
		rehearsed: {
			record: "r-9",
			at: Date.now() - 41 * day,
			outcome: "warnings",
			back: 3,
			of: 4,
			site: "t",
			siteName: "Test",
		},
	};
	const city = other("city", "City GIS", { username: "gisadmin", readOnly: true });
	const { backend, queries, user } = shown([city], { world: { concerns, recoverable } });
	const city_ = await row("City GIS");
	expect(city_.getByText("Production · portal, 1 server · Read-only")).toBeVisible();
	expect(await city_.findByText("2 services on gis.example.org do not run")).toBeVisible();
	expect(city_.getByText("1 more · never checked")).toBeVisible();
	const rehearsed = /^12 days ago · without data stores · rehearsed .?41 days ago on .?Test.? · 3 of 4 parts back.?$/;
	expect(city_.getByText(rehearsed)).toBeVisible();
	expect(city_.getByText("Last signed in as gisadmin")).toBeVisible();
	expect(await axeFindings()).toEqual([]);

	queries.setQueryData(queryKeys.session(cityServer), signedInSite().session);
	expect(await city_.findByText(/^until /)).toBeVisible();
	expect(await backend.session(cityServer)).toBeNull();
	await user.click(city_.getByRole("button", { name: /^Show services/ }));
	expect(screen.getByTestId("place")).toHaveTextContent("overview city server");
});

test("a production site that cannot be restored says what is missing, and leads to the backup plans", async () => {
	const parts: RecoverablePart[] = [
		{ server: null, state: { kind: "never" }, at: null, version: "", place: null, hasWarnings: false },
		{
			server: "server",
			state: { kind: "otherVersion", now: "11.3" },
			at: 0,
			version: "11.1",
			place: null,
			hasWarnings: false,
		},
	];
	const about = { kind: "notRecoverable", parts, hasPlan: false } as const;
	const concerns: Concern[] = [{ tone: "warnings", server: null, at: Date.now(), about }];
	const recoverable: Recoverability = {
		to: { kind: "no" },
		parts,
		dataStores: { kind: "nothingHosted" },
		rehearsed: null,
	};
	const { user } = shown([other("city", "City GIS")], { world: { concerns, recoverable } });
	const city = await row("City GIS");
	expect(await city.findByText("Not recoverable from exports")).toBeVisible();
	expect(city.getByText("No")).toBeVisible();
	expect(city.getByText("Portal: no export · 1 more")).toBeVisible();
	await user.click(city.getByRole("button", { name: /^Backup plans/ }));
	expect(screen.getByTestId("place")).toHaveTextContent("plans city");
});

test("hosted layers of a production site without a backup need attention, and lead to the help", async () => {
	const about = { kind: "noDataBackup", checkedAt: Date.now() } as const;
	const concerns: Concern[] = [{ tone: "warnings", server: null, at: Date.now(), about }];
	const { user } = shown([other("city", "City GIS")], { world: { concerns } });
	const city = await row("City GIS");
	expect(await city.findByText("No backup of the data stores")).toBeVisible();
	await user.click(city.getByRole("button", { name: /^Show help/ }));
	expect(screen.getByTestId("place")).toHaveTextContent("help");
});

test("a site whose exports were not verified is not called recoverable, and names them", async () => {
	shown([other("city", "City GIS")], { world: { exported: { portal: Date.now() - day, server: Date.now() } } });
	const city = await row("City GIS");
	expect(await city.findByText(/^Portal: export of .* is not verified on this computer · 1 more$/)).toBeVisible();
	expect(city.getAllByText("Not known")).not.toHaveLength(0);
});

test("a site that was never checked is not called well", async () => {
	shown([other("city", "City GIS")]);
	const city_ = await row("City GIS");
	expect(await city_.findByText("Nothing recorded")).toBeVisible();
	expect(city_.getByText("never checked")).toBeVisible();
});

test("a session that nobody asked for is not known, and one that is asked for and ended is none", async () => {
	const { queries } = shown([other("city", "City GIS", { username: "gisadmin" }), other("town", "Town GIS")]);
	const city = await row("City GIS");
	expect(city.getByText("Not known")).toBeVisible();
	expect(city.getByText("Last signed in as gisadmin")).toBeVisible();
	expect((await row("Town GIS")).getByText("Not signed in")).toBeVisible();

	queries.setQueryData(queryKeys.session(cityServer), null);
	expect(await city.findByText("Not signed in")).toBeVisible();
});

test("sites are moved with the keyboard alone, and the program keeps the order", async () => {
	const { user, backend } = shown([other("a", "Alder"), other("b", "Birch"), other("c", "Cedar")]);
	(await row("Birch")).getByRole("button", { name: "More commands for Birch" }).focus();
	await user.keyboard("{Enter}");
	const down = await screen.findByRole("menuitem", { name: "Move down" });
	down.focus();
	await user.keyboard("{Enter}");
	await waitFor(() => expect(order()).toEqual(["Alder", "Cedar", "Birch"]));
	expect(screen.getByText("Birch is now number 3 of 3.")).toBeInTheDocument();
	expect((await backend.listSites()).map(({ id }) => id)).toEqual(["a", "c", "b"]);
});

test("an order that cannot be kept is said, and the rows stay where they were", async () => {
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
	const fail: MemoryOptions["fail"] = { removeSite: wrong("reason", "tooShort") };
	const { user } = shown([alder, { ...other("b", "Birch"), readOnly: true }], { fail });
	await user.click(await screen.findByRole("button", { name: "More commands for Alder" }));
	await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
	await user.click(await screen.findByRole("button", { name: "Remove site" }));
	expect(await screen.findByText("Enter a reason of at least 3 characters.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	delete fail.removeSite;
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
