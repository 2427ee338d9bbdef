import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BatchItemResult, BatchResult, DeactivationView, InvitationView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { FolderReport } from "@/operations/refresh-invitation/report";
import { ContactsFileReport } from "@/operations/update-participant/report";
import { deactivated, deactivatedConcern, servicesWithActive } from "@/test/deactivation";
import { pastOf } from "@/test/past";
import { axeFindings, fill, lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const minute = 60_000;
const why = "This site is read-only.";
const lists = ["Webhooks", "Participants", "Invitations"];
const reads = ["Portal export", "Server export", "Data store items"];

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
	vi.useRealTimers();
});

const unlockedFor = (time: number) => Date.now() + time;

/** Opens the window at a read-only site. */
function openAt(unlockedUntil: number | null, deactivations: DeactivationView[] = []) {
	const { site, world } = signedInSite();
	const sites = [{ ...site, readOnly: true, unlockedUntil }];
	const isQuiet = deactivations.length > 0;
	const quiet = isQuiet ? { services: servicesWithActive(), concerns: [deactivatedConcern(["mains-leaks"])] } : {};
	return renderWith(<App />, fakeBackend({ world: { ...world, sites, deactivations, ...quiet } }), lastAt("city"));
}

type User = ReturnType<typeof openAt>["user"];

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const sidebar = async () => within(await screen.findByRole("navigation", { name: "Site and operations" }));
const link = async (name: string) => (await sidebar()).findByRole("button", { name });
const panel = () => screen.findByRole("region", { name: "Read-only" });

async function goTo(user: User, name: string) {
	await heading("Overview");
	await user.click(await link(name));
	await heading(name);
}

async function unlock(user: User) {
	const locked = within(await panel());
	await fill(user, locked.getByLabelText("Reason"), "Planned maintenance");
	await user.click(locked.getByRole("button", { name: "Unlock for 15 minutes" }));
	await waitFor(() => expect(screen.queryByRole("region", { name: "Read-only" })).toBeNull());
}

/** Advances the clock beyond the 15 minutes of an unlock. */
async function timePasses() {
	vi.setSystemTime(Date.now() + 20 * minute);
	expect(within(await panel()).getByText("This site is read-only")).toBeVisible();
}

describe("while the site is locked", () => {
	test("every operation that changes the site is unavailable with the reason, and what reads or copies is not", async () => {
		const { user } = openAt(null);
		await heading("Overview");
		for (const name of ["Server import", ...lists]) {
			expect(await link(name)).toHaveAccessibleDescription(`unavailable: ${why}`);
		}
		for (const name of reads) expect(await link(name)).not.toHaveAccessibleDescription(new RegExp(why));

		await user.keyboard("{Control>}k{/Control}");
		const palette = within(await screen.findByRole("dialog"));
		// Operations that change the site, and the reactivation of webhooks.
		expect(await palette.findAllByText(why)).toHaveLength(6);
		await fill(user, palette.getByLabelText("Search sites, operations, pages, and actions"), "server import");
		await user.keyboard("{ArrowDown}{Enter}");
		await heading("Server import");
		expect(await panel()).toBeVisible();
	});

	test("what wants attention is said beside the reason", async () => {
		openAt(null, [deactivated()]);
		await heading("Overview");
		const said = await link("Webhooks");
		await waitFor(() =>
			expect(said).toHaveAccessibleDescription(/^unavailable: This site is read-only\. .*deactivated/),
		);
		expect(within(said).getByText("1")).toBeVisible();
	});

	test("the place of the form of an import offers to unlock, and nothing to fill in", async () => {
		const { user } = openAt(null);
		await goTo(user, "Server import");
		const main = within(screen.getByRole("main"));
		expect(main.getAllByRole("textbox")).toEqual([within(await panel()).getByLabelText("Reason")]);
		expect(main.queryAllByRole("tab")).toEqual([]);
		expect(main.queryAllByRole("checkbox")).toEqual([]);
		expect(await axeFindings()).toEqual([]);
	});

	test.each([
		["Webhooks", "1 inactive", /^Deactivate webhooks/],
		["Participants", "Harbour authority", /^Update contact of/],
		["Invitations", "https://harbour.example.org/portal", "Refresh invitation"],
	])("the list of %s can be read, and only its button is unavailable", async (name, listed, button) => {
		const { user } = openAt(null);
		await goTo(user, name);
		const main = within(screen.getByRole("main"));
		const row = await main.findByText(listed);
		expect(row).toBeVisible();
		await user.click(row);
		const change = await main.findByRole("button", { name: button });
		expect(change).toBeDisabled();
		expect(change).toHaveAccessibleDescription(why);
		expect(await axeFindings()).toEqual([]);
		await user.click(main.getByRole("button", { name: "Unlock this site" }));
		expect(within(await panel()).getByLabelText("Reason")).toHaveFocus();
	});

	test("a single webhook is not deactivated either, and the switch says why", async () => {
		const { user } = openAt(null);
		await goTo(user, "Webhooks");
		await user.click(await screen.findByRole("button", { name: /active webhooks: Hosted\/Hydrants\.FeatureServer/ }));
		const one = screen.getByRole("switch", { name: "hydrant-inspections" });
		expect(one).toBeDisabled();
		expect(one).toHaveAttribute("aria-description", why);
	});

	test("an export is as it always was", async () => {
		const { user } = openAt(null);
		await goTo(user, "Server export");
		expect(await screen.findByRole("button", { name: /and export$/ })).toBeEnabled();
		expect(screen.queryByRole("region", { name: "Read-only" })).toBeNull();
	});

	test("what is silent can be read and reminded of, and not restored", async () => {
		const { user } = openAt(null, [deactivated()]);
		await goTo(user, "Webhooks");
		await user.click(await screen.findByRole("button", { name: /^Deactivation log/ }));
		const entry = within(await screen.findByRole("group", { name: deactivated().service }));
		expect(entry.getByRole("button", { name: /^Remind me/ })).toBeEnabled();
		expect(entry.queryByRole("button", { name: /^Reactivate/ })).toBeNull();
		await unlock(user);
		expect(entry.getByRole("button", { name: /^Reactivate/ })).toBeEnabled();
	});
});

test.each([
	["is not offered again while the site is locked", null, 0],
	["is offered again while it is unlocked", unlockedFor(10 * minute), 2],
])("what was refused of several %s", async (_, unlockedUntil, buttons) => {
	const { site, world } = signedInSite();
	const readOnly = { ...site, readOnly: true, unlockedUntil };
	const parts: BatchItemResult<never>[] = [
		{ kind: "rejected", problem: { kind: "readOnly", site: site.id, siteName: site.name } },
	];
	const report: BatchResult<never> = { stopped: false, outcome: "failed", parts };
	const several = { site: readOnly, at: Date.now(), report, onAgain: vi.fn() };
	const contact = { contactFirstname: "Kim", contactLastname: "Harbour", contactEmailAddress: "kim@example.net" };
	const participant = { ...invitation, participantId: "p", portalName: "Harbour", portalUrl: "", role: "Guest" };
	renderWith(
		<>
			<ContactsFileReport
				{...several}
				changes={[{ participant: { ...participant, ...contact, hostedElsewhere: null, gap: null }, contact }]}
			/>
			<FolderReport {...several} invitations={[invitation]} />
		</>,
		{ world },
	);
	expect(screen.getAllByText("0 of 1", { exact: false })).toHaveLength(2);
	expect(screen.queryAllByRole("button", { name: /^(Update|Refresh) the other/ })).toHaveLength(buttons);
});

describe("once it is unlocked", () => {
	test("the form stands in its place with the focus, and nothing is greyed", async () => {
		const { user, backend } = openAt(null);
		await goTo(user, "Webhooks");
		await unlock(user);
		expect((await screen.findAllByRole("checkbox", { name: /Server$/ })).length).toBeGreaterThan(0);
		expect(screen.getByRole("main")).toContainElement(document.activeElement as HTMLElement);
		expect(await link("Server import")).not.toHaveAttribute("data-locked");
		expect((await pastOf(backend))[0]).toMatchObject({ operation: "unlock", note: "Planned maintenance" });
	});

	test("the bar says for how long, in words that are no time of day", async () => {
		openAt(unlockedFor(12 * minute + 4_000));
		const mark = await screen.findByRole("button", { name: "Unlocked, 12 min left" });
		vi.setSystemTime(Date.now() + 11 * minute + 34_000);
		await waitFor(() => expect(mark).toHaveTextContent("Unlocked, 30 s left"), { timeout: 3_000 });
	});

	test("it locks itself while somebody types, and what was typed stays and can be sent after the next unlock", async () => {
		const { user } = openAt(unlockedFor(10 * minute));
		await goTo(user, "Invitations");
		await user.click(await screen.findByRole("tab", { name: "By ID" }));
		await fill(user, screen.getByLabelText("Collaboration ID"), "c0ffee");
		await timePasses();
		const submit = screen.getByRole("button", { name: "Refresh invitation" });
		await waitFor(() => expect(submit).toBeDisabled());
		expect(screen.getByRole("textbox", { name: "Collaboration ID" })).toHaveFocus();
		await unlock(user);
		expect(submit).toBeEnabled();
		expect(screen.getByRole("textbox", { name: "Collaboration ID" })).toHaveValue("c0ffee");
	});

	test("it locks itself under a confirmation, which comes back as it was", async () => {
		const { user, backend } = openAt(unlockedFor(10 * minute));
		await goTo(user, "Webhooks");
		const boxes = await screen.findAllByRole("checkbox", { name: /Server$/ });
		await user.click(boxes.find((box) => !(box as HTMLInputElement).disabled) as HTMLElement);
		await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
		await fill(user, within(await screen.findByRole("dialog")).getByLabelText(/^Reason/), "The receiver moves");
		await timePasses();
		await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), { timeout: 3_000 });
		await unlock(user);
		const dialog = within(await screen.findByRole("dialog"));
		expect(dialog.getByLabelText(/^Reason/)).toHaveValue("The receiver moves");
		await fill(user, dialog.getByLabelText("Enter “City GIS” to confirm"), "City GIS");
		await user.click(dialog.getByRole("button", { name: "Deactivate webhooks" }));
		expect(await screen.findByText("Deactivated the webhooks of 1 service on City GIS")).toBeVisible();
		expect((await pastOf(backend)).map(({ operation }) => operation)).toEqual(["deactivate_webhooks", "unlock"]);
	});
});

const invitation: InvitationView = {
	collaborationId: "c",
	collaborationName: "Harbours",
	invitationId: "i",
	guestPortalUrl: "https://harbour.example.net/portal",
	status: "host_created",
	expiration: null,
	expiresIn: null,
	hostedElsewhere: null,
	gap: null,
};
