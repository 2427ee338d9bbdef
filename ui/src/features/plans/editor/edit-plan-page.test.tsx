import { act, screen, waitFor, within } from "@testing-library/react";
import { vi } from "vitest";
import type { AcceptanceLine, BackupPlan, Problem } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { SignInRequestContext } from "@/lib/navigation";
import { takeSession } from "@/lib/queries/program";
import { speak } from "@/messages/i18n";
import { site, usualWorld } from "@/test/forms-and-dialogs";
import { Leaving } from "@/test/leaving";
import { planOf, setOf } from "@/test/plans";
import { axeFindings, fill, press, renderWith, signedInPractice, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { EditPlanPage, PlanEditor } from "./edit-plan-page";
import { timesOf } from "./values";

const servers = site.servers.map((server, place) => ({ ...server, name: `srv${place + 1}` }));
const production = { ...site, id: "city", name: "City GIS", environment: "production" as const, servers };
const plan = planOf(production);

const required = (field: string): Problem => ({ kind: "form", field, fault: "required" });

const met = (about: AcceptanceLine["about"]): AcceptanceLine => ({ state: "met", about, remedy: null });
const everything = [null, "server", "second", "third"];
const folder = met({ kind: "folder", fault: null });
const onlyExports = met({ kind: "onlyExports", isReadOnly: false, keepsPortalFiles: true, keepsUploads: false });
const allMet = [met({ kind: "session", parts: everything, session: { kind: "password" } }), folder, onlyExports];

function show(id: string | null, acceptance: AcceptanceLine[] = allMet, fail: MemoryOptions["fail"] = {}) {
	const { world } = usualWorld();
	const sets = [setOf(plan, 1), { ...setOf(plan, 2), fate: { kind: "removed" as const } }];
	return renderWith(<EditPlanPage site={production} plan={id} />, {
		fail,
		world: { ...world, sites: [production], plans: [plan], planSets: new Map([["nightly", sets]]), acceptance },
	});
}

test("a new plan begins with all of the site every night, and is saved with a folder from the dialog", async () => {
	const { user, backend } = show(null);
	await fill(user, await screen.findByLabelText("Name"), "Weekly");
	await fill(user, screen.getByLabelText("Folder on the portal"), "D:\\exports");
	await user.click(screen.getByRole("button", { name: "Choose the folder for the sets" }));
	await waitFor(() => expect(screen.getByLabelText("Folder for the sets")).toHaveValue("/home/sam/Invitations"));
	await user.click(screen.getByRole("button", { name: "Save plan" }));
	await waitFor(async () => {
		const { plans } = await backend.listPlans(production.id);
		const saved = plans.find((one) => one.plan.name === "Weekly")?.plan;
		expect(saved?.parts).toEqual([
			{ kind: "portal", location: "D:\\exports", seenAt: null, store: null },
			{ kind: "server", server: "server" },
			{ kind: "server", server: "second" },
			{ kind: "server", server: "third" },
		]);
		expect([saved?.isEnabled, saved?.schedule.days.length]).toEqual([true, 7]);
	});
});

test("a plan reminds of rehearsals by the calendar, or not any more", async () => {
	const { user, backend } = show("nightly");
	const choose = async (every: string) => {
		await user.click(await screen.findByRole("combobox", { name: "Remind of rehearsals" }));
		await user.click(await screen.findByRole("option", { name: every }));
		await user.click(screen.getByRole("button", { name: "Save plan" }));
	};
	const saved = async () => (await backend.listPlans(production.id)).plans[0]?.plan.rehearseEvery;
	await choose("Every quarter");
	await waitFor(async () => expect(await saved()).toBe("quarter"));
	await choose("Never");
	await waitFor(async () => expect(await saved()).toBeNull());
});

test("a plan that is saved after its page was left leads nowhere, and nothing of it is typed any more", async () => {
	const { world } = usualWorld();
	const backend = fakeBackend({ world: { ...world, sites: [production], plans: [plan] } });
	let end = (_: BackupPlan) => {};
	backend.savePlan = () => new Promise((resolve) => (end = resolve));
	const page = (
		<WithPlace>
			<Leaving>
				<EditPlanPage site={production} plan="nightly" />
			</Leaving>
		</WithPlace>
	);
	const { user } = renderWith(page, backend);
	await fill(user, await screen.findByLabelText("Name"), "Typed");
	await press(user, "Save plan");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await act(async () => end(plan.plan));
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(screen.getByTestId("place")).toHaveTextContent(/^sites$/);
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await screen.findByLabelText("Name")).toHaveValue("Nightly");
});

test("a pause that fails after the page was left leads nowhere", async () => {
	const { world } = usualWorld();
	const backend = fakeBackend({ world: { ...world, sites: [production], plans: [plan] } });
	let fail = (_: Problem) => {};
	backend.savePlan = () => new Promise((_, reject) => (fail = reject));
	const page = (
		<WithPlace>
			<Leaving>
				<EditPlanPage site={production} plan="nightly" />
			</Leaving>
		</WithPlace>
	);
	const { user } = renderWith(page, backend);
	await press(user, "Pause plan");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await act(async () => fail({ kind: "form", field: "accountKey", fault: "required" }));
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(screen.getByTestId("place")).toHaveTextContent(/^sites$/);
});

test("an enabled plan is paused as it is saved, and what was typed stays", async () => {
	const { user, backend, container } = show("nightly");
	await fill(user, await screen.findByLabelText("Name"), "Not saved");
	expect(await axeFindings(container)).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Pause plan" }));
	await waitFor(() => expect(screen.queryByRole("button", { name: "Pause plan" })).toBeNull());
	const saved = (await backend.listPlans(production.id)).plans.find((one) => one.plan.id === "nightly")?.plan;
	expect([saved?.isEnabled, saved?.name]).toEqual([false, "Nightly"]);
	expect(screen.getByLabelText("Name")).toHaveValue("Not saved");
});

test("a plan of the practice site promises no run by its schedule, and offers the folder that its portal can write to", async () => {
	const { site: practice, world } = signedInPractice();
	const backend = fakeBackend({ world });
	await backend.startPractice();
	const { user } = renderWith(<EditPlanPage site={practice} plan={null} />, backend);
	await user.click(await screen.findByRole("button", { name: "Use the practice folder" }));
	expect(screen.getByLabelText("Folder on the portal")).not.toHaveValue("");
	expect(screen.getAllByText(/^Plans of the practice site run only on request/)).toHaveLength(2);
	expect(screen.queryByText(/^Next runs: /)).toBeNull();
	expect(screen.queryByText("Runs while you are signed in to this computer")).toBeNull();
});

test("the portal is exported to a container with a key that is kept in the keyring only", async () => {
	const fail: MemoryOptions["fail"] = { savePlan: required("accountKey") };
	const { user, backend, container } = show("nightly", allMet, fail);
	await user.click(await screen.findByLabelText("Blob container"));
	expect(screen.queryByRole("button", { name: "Choose the same folder on this computer" })).toBeNull();
	await fill(user, screen.getByLabelText("Container URL"), "https://account.blob.example.net/backups");
	await fill(user, screen.getByLabelText("Account endpoint"), "blob.example.net");
	await fill(user, screen.getByLabelText("Account name"), "account");
	await user.click(screen.getByRole("button", { name: "Save plan" }));
	expect(await screen.findByText("Enter a value.")).toBeVisible();
	expect(await axeFindings(container)).toEqual([]);
	await fill(user, screen.getByLabelText("Account key"), "c2VjcmV0");
	delete fail.savePlan;
	await user.click(screen.getByRole("button", { name: "Save plan" }));
	await waitFor(async () => {
		const { plans } = await backend.listPlans(production.id);
		const saved = plans.find(({ plan }) => plan.id === "nightly")?.plan;
		expect(saved?.parts[0]).toEqual({
			kind: "portal",
			location: "D:\\portal-exports",
			seenAt: null,
			store: {
				kind: "blob",
				container: "https://account.blob.example.net/backups",
				accountName: "account",
				accountEndpoint: "blob.example.net",
			},
		});
		expect(JSON.stringify(saved)).not.toContain("c2VjcmV0");
	});
});

test("only where the key of an account is stored, an empty field keeps it", async () => {
	const keep = /Leave empty to keep the stored key/;
	const { user, unmount } = show(null);
	await user.click(await screen.findByLabelText("Blob container"));
	expect(screen.getByLabelText("Account key")).toHaveAccessibleDescription("Stored in the keyring of this computer.");
	unmount();

	const store = { kind: "blob" as const, container: "https://a.example/c", accountName: "a", accountEndpoint: "b" };
	const parts = [{ kind: "portal" as const, location: "backups", seenAt: null, store }];
	renderWith(<PlanEditor site={production} plan={{ ...plan.plan, parts }} />, usualWorld());
	expect(await screen.findByLabelText("Account key")).toHaveAccessibleDescription(keep);
});

test("the fault of a field is said in the language of the window, also when that is changed", async () => {
	const { user } = show(null, allMet, { savePlan: required("parts.0.container") });
	await user.click(await screen.findByLabelText("Blob container"));
	await fill(user, screen.getByLabelText("Name"), "Weekly");
	await user.click(screen.getByRole("button", { name: "Save plan" }));
	const container = screen.getByLabelText("Container URL");
	await waitFor(() => expect(container).toHaveAccessibleDescription(/Enter a value\./));
	await act(() => speak("de"));
	expect(container).toHaveAccessibleDescription(/Geben Sie einen Wert ein\./);
	await act(() => speak("en"));
});

test("what a plan lacks is said at its field, and keeps no plan from being saved as paused", async () => {
	const fail: MemoryOptions["fail"] = { savePlan: required("parts.0.location") };
	const { user, backend } = show(null, allMet, fail);
	await fill(user, await screen.findByLabelText("Name"), "Later");
	await user.click(screen.getByRole("button", { name: "Save plan" }));
	await waitFor(() => expect(screen.getByLabelText("Folder on the portal")).toHaveAttribute("aria-invalid", "true"));
	delete fail.savePlan;
	await user.click(screen.getByRole("button", { name: "Save as paused" }));
	await waitFor(async () => {
		const { plans } = await backend.listPlans(production.id);
		expect(plans.find((one) => one.plan.name === "Later")?.plan.isEnabled).toBe(false);
	});
});

test("a saved plan is shown as it is, with what its rules would do with each set", async () => {
	const { container } = show("nightly");
	expect(await screen.findByLabelText("Name")).toHaveValue("Nightly");
	expect(screen.getByLabelText("Times")).toHaveValue("02:30");
	const preview = await screen.findByRole("table", { name: "What the rules keep" });
	const rows = within(preview).getAllByRole("row").slice(1);
	expect(rows.map((row) => row.textContent)).toEqual([
		expect.stringContaining("Keptlast 1"),
		expect.stringContaining("Removedno rule keeps it"),
	]);
	expect(await screen.findByText(/^Next runs: /)).toBeVisible();
	expect(await axeFindings(container)).toEqual([]);
});

test("the next runs follow the times, and a day that is cleared", async () => {
	const { user } = show("nightly");
	const times = await screen.findByLabelText("Times");
	await fill(user, times, "04:15");
	await waitFor(() => expect(screen.getByText(/^Next runs: /)).toHaveTextContent(/4:15/));
	for (const day of ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]) {
		await user.click(screen.getByRole("checkbox", { name: day }));
	}
	expect(await screen.findByText("The plan never runs by schedule.")).toBeVisible();
});

test.each([
	["en-US", "SunMonTueWedThuFriSat", "On March 31, 2030 there is no 2:30 AM: that run starts at 3:00 AM."],
	["en-GB", "MonTueWedThuFriSatSun", "On 31 March 2030 there is no 02:30: that run starts at 03:00."],
])(
	"where the system wants %s, the days and the hours of a plan are those of its region",
	async (wanted, week, moved) => {
		vi.spyOn(navigator, "languages", "get").mockReturnValue([wanted]);
		const at = new Date(2030, 2, 31, 3).getTime();
		const next = { runs: [at], moved: { at, time: { hour: 2, minute: 30 } } };
		renderWith(<EditPlanPage site={production} plan={null} />, {
			...fakeBackend({ world: { ...usualWorld().world, sites: [production] } }),
			nextRuns: async () => next,
		});
		expect((await screen.findByText(moved)).textContent).toBe(moved);
		expect(screen.getByRole("group", { name: "Days" })).toHaveTextContent(week);
	},
);

test.each([
	["02:30", ["2:30"]],
	["2:30, 14:00", ["2:30", "14:0"]],
	["02.30 23:59", ["2:30", "23:59"]],
	["", []],
	["24:00", null],
	["2:60", null],
	["at night", null],
	["02:30, noon", null],
] as const)("%j are times of a day or none", (text, expected) => {
	expect(timesOf(text)?.map(({ hour, minute }) => `${hour}:${minute}`) ?? null).toEqual(expected);
});

test("a text that is no time is not sent", async () => {
	const { user, backend } = show("nightly");
	const before = await backend.listPlans(production.id);
	await fill(user, await screen.findByLabelText("Times"), "24:00");
	await user.click(screen.getByRole("button", { name: "Save plan" }));
	expect(await screen.findByText("Enter times between 00:00 and 23:59.")).toBeVisible();
	expect(await backend.listPlans(production.id)).toEqual(before);
});

const bare: AcceptanceLine = {
	state: "notMet",
	about: { kind: "session", parts: [null, "server"], session: { kind: "bareToken", ends: null } },
	remedy: { kind: "signIn", server: null },
};

/** Returns the acceptance list after it was read. */
async function theList() {
	const list = await screen.findByRole("list", { name: "Before it can run" });
	await waitFor(() => expect(list).toHaveAttribute("aria-busy", "false"));
	return within(list);
}

test("each line has its state in words, and what a user can do about it", async () => {
	const day = 86_400_000;
	const { container } = show("nightly", [
		bare,
		{
			state: "warning",
			about: { kind: "session", parts: ["second"], session: { kind: "refreshToken", ends: Date.now() + 5 * day } },
			remedy: { kind: "signIn", server: "second" },
		},
		{ state: "notKnown", about: { kind: "versions", parts: ["second"], reason: null }, remedy: { kind: "checkSite" } },
		{ state: "warning", about: { kind: "tokenLife", server: "server", longest: 3_000, life: 3_600 }, remedy: null },
		{
			state: "notMet",
			about: { kind: "space", free: 1_000_000_000, needed: 3_000_000_000 },
			remedy: { kind: "freeSpace", lacking: 2_000_000_000 },
		},
		{
			state: "warning",
			about: { kind: "synchronized", name: "Shared folder" },
			remedy: { kind: "chooseFolder" },
		},
		folder,
		onlyExports,
	]);
	const list = await theList();
	const lines = list.getAllByRole("listitem").map((line) => line.textContent);
	expect(lines).toEqual([
		expect.stringContaining("Runs while you are signed in to this computer"),
		expect.stringMatching(/The session cannot be renewed: portal, .*Not met\. .*save it.*Sign in/),
		expect.stringMatching(/The session ends in 5 days: .*Warning\. Sign in again before/),
		expect.stringMatching(/Version not known: .*Not known\. .*Check now/),
		expect.stringMatching(/might end first: .*longest export took 50 min; the token lasts 1 h/),
		expect.stringMatching(/Not enough free space.*Free 2\.00.GB/),
		expect.stringMatching(/synchronized.*Shared folder/),
		expect.stringContaining("The folder can be written to"),
		expect.stringContaining("Exports only"),
	]);
	expect(await axeFindings(container)).toEqual([]);
});

test("a line that is not met keeps the plan from being saved as enabled, and not as paused", async () => {
	const { user, backend } = show("nightly", [bare]);
	await theList();
	const save = screen.getByRole("button", { name: "Save plan" });
	await waitFor(() => expect(save).toBeDisabled());
	expect(save).toHaveAccessibleDescription(/can be saved as paused/);
	await user.type(screen.getByLabelText("Name"), "{Enter}");
	expect((await backend.listPlans(production.id)).plans[0]?.plan.isEnabled).toBe(true);
	await user.click(screen.getByRole("button", { name: "Save as paused" }));
	await waitFor(async () => expect((await backend.listPlans(production.id)).plans[0]?.plan.isEnabled).toBe(false));
});

test("the button of a line signs in where the session begins, and the list is read again afterwards", async () => {
	const ask = vi.fn();
	const { world } = usualWorld();
	const { user, queries, backend } = renderWith(
		<SignInRequestContext value={ask}>
			<EditPlanPage site={production} plan="nightly" />
		</SignInRequestContext>,
		{ world: { ...world, sites: [production], plans: [plan], acceptance: [bare] } },
	);
	const list = await theList();
	await user.click(list.getByRole("button", { name: /^Sign in….*The session cannot be renewed/ }));
	expect(ask).toHaveBeenCalledWith(production.id, null);
	backend.planAcceptance = () => Promise.resolve([]);
	await takeSession(queries, { ...signedInSite().session, site: production.id });
	await waitFor(() => expect(screen.getByRole("button", { name: "Save plan" })).toBeEnabled());
});

test("the lines stay, with a note, while they are read again after a part is cleared", async () => {
	const { user, backend } = show("nightly");
	const list = await theList();
	expect(list.getByText("Signed in: portal, srv1, srv2, srv3")).toBeVisible();
	let respond: (lines: AcceptanceLine[]) => void = () => {};
	const asked = vi.fn(() => new Promise<AcceptanceLine[]>((resolve) => (respond = resolve)));
	backend.planAcceptance = asked;
	await user.click(screen.getByRole("checkbox", { name: "Export srv2" }));
	await waitFor(() => expect(asked).toHaveBeenCalled());
	expect(await screen.findByText("Checking…")).toBeVisible();
	expect(list.getByText("Signed in: portal, srv1, srv2, srv3")).toBeVisible();
	const signedIn = { kind: "session" as const, parts: [null, "server"], session: { kind: "password" as const } };
	respond([{ state: "met", about: signedIn, remedy: null }]);
	expect(await list.findByText("Signed in: portal, srv1")).toBeVisible();
	expect(screen.queryByText("Checking…")).toBeNull();
});

test("what the program refuses at the save is in the list, and the page goes there", async () => {
	const { user, backend } = show("nightly");
	await theList();
	// The session ended after the list was read.
	backend.savePlan = () => Promise.reject({ kind: "planNotAccepted" });
	backend.planAcceptance = () => Promise.resolve([bare]);
	await user.click(screen.getByRole("button", { name: "Save plan" }));
	expect(await screen.findByText(/The session cannot be renewed/)).toBeVisible();
	expect(screen.getByRole("region", { name: "Before it can run" })).toHaveFocus();
	await waitFor(() => expect(screen.getByRole("button", { name: "Save plan" })).toBeDisabled());
});
