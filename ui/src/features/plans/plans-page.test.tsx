import { screen, waitFor, within } from "@testing-library/react";
import { vi } from "vitest";
import type { AcceptanceLine, LineAbout, NeedsYou, PlanSession, PlanView } from "@/bridge";
import { usualPreferences } from "@/lib/preferences";
import { queryKeys } from "@/lib/queries/keys";
import { site, usualWorld } from "@/test/forms-and-dialogs";
import { planOf, setOf } from "@/test/plans";
import { axeFindings, fill, renderWith } from "@/test/render";
import { WithPlace } from "@/test/where";
import { PlansPage } from "./plans-page";

const production = { ...site, id: "city", name: "City GIS", environment: "production" as const };

function show(plans: PlanView[], sets: ReturnType<typeof setOf>[] = []) {
	const { world } = usualWorld();
	return renderWith(<PlansPage site={production} chosen={null} />, {
		world: { ...world, sites: [production], plans, planSets: new Map([["nightly", sets]]) },
	});
}

const needs = (reason: NeedsYou): PlanView["state"] => ({ kind: "needsYou", since: Date.now() - 3_600_000, reason });

const bareSession: LineAbout = {
	kind: "session",
	parts: [null, "server"],
	session: { kind: "bareToken", ends: null },
};
const lineAbout = (about: LineAbout): AcceptanceLine => ({
	state: "notMet",
	about,
	remedy: about.kind === "session" ? { kind: "signIn", server: null } : null,
});

const sessionLine = (session: PlanSession) => lineAbout({ kind: "session", parts: [null], session });

test("a site without plans says what a plan does, and leads to a new one", async () => {
	show([]);
	expect(await screen.findByText("No backup plans")).toBeVisible();
	expect(screen.getByText(/while you are signed in to this computer, also with a locked screen/)).toBeVisible();
	expect(screen.getAllByRole("button", { name: "New plan" })).toHaveLength(1);
});

test("where the organization forbids plans, none is offered, and those that are there say why they do not run", async () => {
	const { world } = usualWorld();
	const policy = {
		file: "/etc/site-steward/policy.json",
		locked: [],
		plans: "forbidden" as const,
		plansFolder: null,
		faults: [],
	};
	const view = { preferences: usualPreferences, setAside: [], policy };
	renderWith(<PlansPage site={production} chosen={null} />, { world: { ...world, sites: [production] } }, view);
	expect(await screen.findByText(/does not allow backup plans/)).toBeVisible();
	expect(screen.queryByRole("button", { name: "New plan" })).not.toBeInTheDocument();
});

test.each([
	[{ kind: "verified", at: Date.now() }, "Verified", ""],
	[needs({ kind: "signIn", server: "server" }), "Needs you", "Not signed in to"],
	[
		needs({
			kind: "part",
			server: "server",
			state: { kind: "failed", fault: { kind: "disk" }, note: "" },
			others: 1,
		}),
		"Needs you",
		"The file could not be written",
	],
	[needs({ kind: "part", server: null, state: { kind: "unknown" }, others: 0 }), "Needs you", "Outcome unknown"],
	[needs({ kind: "noSet", note: "no drive" }), "Needs you", "The last run stored no set"],
	[needs({ kind: "small", server: "server", size: 7, usual: 700 }), "Needs you", "Much smaller than usual"],
	[
		needs({ kind: "notRemoved", sets: 2, why: { kind: "notAllowed" } }),
		"Needs you",
		"2 old backup sets could not be removed",
	],
	[needs({ kind: "rehearse", server: "server", last: null }), "Needs you", "A rehearsal is due"],
	[
		needs({ kind: "notAccepted", line: lineAbout({ kind: "folder", fault: { kind: "missing" } }) }),
		"Needs you",
		"cannot be used",
	],
	[
		needs({ kind: "notAccepted", line: lineAbout({ kind: "space", free: 1, needed: 2 }) }),
		"Needs you",
		"not have room",
	],
	[
		needs({ kind: "notAccepted", line: lineAbout(bareSession) }),
		"Needs you",
		"The session cannot be renewed: the portal, ",
	],
	[
		needs({ kind: "notAccepted", line: sessionLine({ kind: "signedOut" }) }),
		"Needs you",
		"Not signed in to the portal",
	],
	[
		needs({ kind: "notAccepted", line: sessionLine({ kind: "refreshToken", ends: Date.now() - 1 }) }),
		"Needs you",
		"Not signed in to the portal",
	],
	[
		needs({ kind: "notAccepted", line: sessionLine({ kind: "refreshToken", ends: Date.now() + 3_600_000 }) }),
		"Needs you",
		"Session ends before the next run: the portal",
	],
	[
		needs({
			kind: "part",
			server: "server",
			state: { kind: "failed", fault: { kind: "archive", archive: "earlier" }, note: "" },
			others: 0,
		}),
		"Needs you",
		"The file has the content of an earlier export",
	],
	[
		needs({ kind: "sessionEnds", end: { server: null, ends: Date.now() + 5 * 86_400_000 } }),
		"Needs you",
		"The session ends in 5 days",
	],
	[{ kind: "didNotRun", since: Date.now() }, "Did not run", "The plan did not run"],
	[{ kind: "new" }, "Not run since saved", ""],
] as [PlanView["state"], string, string][])("%j is said in one word with its reason", async (state, word, why) => {
	show([planOf(production, { state })]);
	const row = await screen.findByRole("row", { name: "Nightly" });
	expect(within(row).getByText(word)).toBeVisible();
	expect(row.textContent).toContain(why);
});

test("a plan whose last exports had warnings is verified with warnings", async () => {
	const plan = planOf(production, { state: { kind: "verified", at: Date.now() } });
	const { parts } = setOf(plan, 1).set;
	const last = {
		...(plan.last as NonNullable<typeof plan.last>),
		parts: parts.map((part) => ({ ...part, warnings: [] })),
	};
	show([{ ...plan, last }]);
	const row = await screen.findByRole("row", { name: "Nightly" });
	expect(within(row).getByText("Verified, with warnings")).toBeVisible();
});

test("a plan whose part is not signed in offers the sign-in, and no other does", async () => {
	const states: NeedsYou[] = [
		{ kind: "signIn", server: "server" },
		{ kind: "notAccepted", line: lineAbout(bareSession) },
		{ kind: "sessionEnds", end: { server: null, ends: Date.now() } },
		{ kind: "notAccepted", line: lineAbout({ kind: "folder", fault: { kind: "missing" } }) },
	];
	show(
		states.map((reason, place) => {
			const view = planOf(production, { state: needs(reason) });
			return { ...view, plan: { ...view.plan, id: `plan-${place}`, name: `Plan ${place}` } };
		}),
	);
	await screen.findByRole("row", { name: "Plan 3" });
	const offers = screen
		.getAllByRole("button", { name: /^Sign in… / })
		.map((button) => button.getAttribute("aria-label"));
	expect(offers).toEqual(["Sign in… Plan 0", "Sign in… Plan 1", "Sign in… Plan 2"]);
});

test("what kept a plan from running is checked again, until the runner itself has looked at it since", async () => {
	const missing = needs({ kind: "notAccepted", line: lineAbout({ kind: "folder", fault: { kind: "missing" } }) });
	const well = planOf(production);
	well.plan = { ...well.plan, id: "weekly", name: "Weekly" };
	const { user, backend, container, queries } = show([planOf(production, { state: missing }), well]);
	const row = await screen.findByRole("row", { name: "Nightly" });
	const check = () => user.click(within(row).getByRole("button", { name: "Check Nightly again" }));
	expect(screen.queryByRole("button", { name: "Check Weekly again" })).toBeNull();
	const now = vi.spyOn(backend, "planAcceptance");

	now.mockResolvedValue([lineAbout({ kind: "space", free: 1, needed: 2 })]);
	await check();
	await waitFor(() => expect(row).toHaveTextContent(/not have room.*checked \d/));
	now.mockResolvedValue([{ ...lineAbout({ kind: "folder", fault: null }), state: "met" }]);
	await check();
	await waitFor(() => expect(row).toHaveTextContent(/Needs youA run can begin now.*checked \d/));
	expect(now.mock.lastCall?.[0]).toMatchObject({ id: "nightly", folder: "/backups/nightly" });
	expect(await axeFindings(container)).toEqual([]);

	const list = await backend.listPlans(production.id);
	vi.spyOn(backend, "listPlans").mockResolvedValue({ ...list, lastStart: Date.now() + 60_000 });
	await queries.invalidateQueries({ queryKey: queryKeys.plans(production.id) });
	await waitFor(() => expect(row).toHaveTextContent(/cannot be used/));
	expect(row).not.toHaveTextContent(/checked/);
});

test("a check that finds a missing session offers the sign-in in its place", async () => {
	const missing = needs({ kind: "notAccepted", line: lineAbout({ kind: "folder", fault: { kind: "missing" } }) });
	const { user, backend } = show([planOf(production, { state: missing })]);
	const row = await screen.findByRole("row", { name: "Nightly" });
	vi.spyOn(backend, "planAcceptance").mockResolvedValue([sessionLine({ kind: "signedOut" })]);
	await user.click(within(row).getByRole("button", { name: "Check Nightly again" }));
	expect(await within(row).findByRole("button", { name: "Sign in… Nightly" })).toBeVisible();
	expect(within(row).queryByRole("button", { name: "Check Nightly again" })).toBeNull();
});

test("a plan that needs a user is not resumed, and its editor is opened, which has the list", async () => {
	const view = planOf(production, { state: { kind: "paused" } });
	const paused = { ...view, plan: { ...view.plan, isEnabled: false } };
	const { world } = usualWorld();
	const { user } = renderWith(
		<WithPlace>
			<PlansPage site={production} chosen={null} />
		</WithPlace>,
		{ world: { ...world, sites: [production], plans: [paused] }, fail: { savePlan: { kind: "planNotAccepted" } } },
	);
	await user.click(await screen.findByRole("button", { name: "Resume Nightly" }));
	await waitFor(() => expect(screen.getByTestId("place")).toHaveTextContent("edit-plan city nightly"));
});

test("a paused plan has no next run, says since when and by whom it is paused, and is resumed by one press", async () => {
	const paused = planOf(production, { state: { kind: "paused" }, next: [] });
	paused.plan.isEnabled = false;
	paused.plan.paused = { since: new Date(2026, 10, 14).getTime(), by: "ana" };
	const { user, backend } = show([paused]);
	const row = await screen.findByRole("row", { name: "Nightly" });
	expect(within(row).getByText("paused")).toBeVisible();
	expect(within(row).getByText("Nov 14, 2026, ana")).toBeVisible();
	await user.click(within(row).getByRole("button", { name: "Resume Nightly" }));
	await waitFor(() => expect(within(row).queryByRole("button", { name: "Resume Nightly" })).toBeNull());
	const { plans } = await backend.listPlans(production.id);
	expect(plans[0]?.plan.isEnabled).toBe(true);
});

test("the sets of the chosen plan have a column for each part, and the rule that keeps each", async () => {
	const plan = planOf(production);
	const failed = { kind: "failed", fault: { kind: "signIn" }, note: "" } as const;
	const sets = [setOf(plan, 1, [failed]), ...[2, 3, 4, 5, 6, 7].map((days) => setOf(plan, days))];
	const { user, container } = show([plan], sets);
	const board = await screen.findByRole("table", { name: "Sets of Nightly" });
	const rows = within(board).getAllByRole("row").slice(1);
	expect(rows).toHaveLength(5);
	expect(rows[0]).toHaveTextContent(/On the site, not checked.*Failed.*Verified/);
	expect(rows[0]).toHaveTextContent("last 1");
	await user.click(screen.getByRole("button", { name: "Show 2 older sets" }));
	expect(within(board).getAllByRole("row")).toHaveLength(8);
	expect(screen.getByText("Data stores are not included in any set.")).toBeVisible();
	expect(await axeFindings(container)).toEqual([]);
});

test("the rule that keeps a set is shown to the keyboard", async () => {
	const plan = planOf(production);
	const reasons = [{ kind: "last", number: 1 } as const, { kind: "newestOfPart" } as const];
	const { user, container } = show([plan], [{ ...setOf(plan, 1), fate: { kind: "kept", reasons } }]);
	const kept = await screen.findByText(/last 1.*newest copy/);
	while (document.activeElement !== kept) await user.tab();
	const rule = await screen.findByRole("tooltip");
	expect(rule).toHaveTextContent("last 1: set 1 of the 3 newest");
	expect(rule).toHaveTextContent("newest copy: newest verified copy of a part");
	expect(kept).toHaveAttribute("aria-describedby", rule.id);
	expect(await axeFindings(container)).toEqual([]);
});

test("a row of a plan says how many of its parts are verified, and how long the last run took", async () => {
	const plan = planOf(production);
	if (plan.last) plan.last.parts = setOf(plan, 1).set.parts;
	const unread = planOf(production);
	unread.plan = { ...unread.plan, id: "weekly", name: "Weekly" };
	if (unread.last) unread.last.took = null;
	show([plan, unread]);
	const row = await screen.findByRole("row", { name: "Nightly" });
	expect(row).toHaveTextContent("3 of 4 parts");
	expect(row).toHaveTextContent("took 1 h 4 min");
	expect(screen.getByRole("row", { name: "Weekly" })).toHaveTextContent("12 hours ago");
});

test("a part that was removed from its plan since the last run is not counted", async () => {
	const plan = planOf(production);
	if (plan.last) plan.last.parts = setOf(plan, 1).set.parts;
	const [first] = plan.plan.parts.filter((part) => part.kind === "server");
	if (!first) throw new Error("a server");
	show([{ ...plan, plan: { ...plan.plan, parts: [first] } }]);
	expect(await screen.findByRole("row", { name: "Nightly" })).toHaveTextContent("1 of 1 parts");
});

test("the search in all sets stands beside the title of the sets", async () => {
	const first = planOf(production);
	const other = planOf(production);
	other.plan = { ...other.plan, id: "weekly", name: "Weekly" };
	const { user, backend } = show([first, other], [setOf(first, 1)]);
	const { name, set } = setOf(first, 1);
	const found = [{ set: { plan: set.plan, planName: set.planName, name, started: set.started }, servers: [] }];
	vi.spyOn(backend, "searchSets").mockResolvedValue({ searched: 3, found, unsearched: [], unread: [] });
	await screen.findByRole("heading", { name: "Sets of Nightly" });
	await fill(user, screen.getByLabelText("Name of a service or data store item"), "zoning");
	await user.keyboard("{Enter}");
	expect(await screen.findByRole("table", { name: "Search all sets" })).toBeVisible();
});

test("without a choice, the sets are those of the plan that needs a user", async () => {
	const first = planOf(production);
	first.plan = { ...first.plan, id: "archive", name: "Archive" };
	show([first, planOf(production, { state: needs({ kind: "noSet", note: "" }) })]);
	expect(await screen.findByRole("heading", { name: "Sets of Nightly" })).toBeVisible();
	expect(screen.getByRole("row", { name: "Nightly" })).toHaveAttribute("aria-current", "true");
});

test("a folder that cannot be read is said, and the plans stay on screen", async () => {
	const { world } = usualWorld();
	const problem = { kind: "file", path: "/backups/nightly", message: "not found", kept: null, full: null } as const;
	renderWith(<PlansPage site={production} chosen={null} />, {
		world: { ...world, sites: [production], plans: [planOf(production)] },
		fail: { planSets: problem },
	});
	expect(await screen.findByRole("row", { name: "Nightly" })).toBeVisible();
	expect(await screen.findByRole("alert")).toBeVisible();
});

test("a plan is run now, shows how far it is, and is stopped after a question", async () => {
	const plan = planOf(production);
	const { user, backend, queries } = show([plan]);
	const row = await screen.findByRole("row", { name: "Nightly" });
	await user.click(within(row).getByRole("button", { name: "Run now: Nightly" }));
	expect(await within(row).findByText("Running")).toBeVisible();

	vi.spyOn(backend, "planRunner").mockResolvedValue({
		running: {
			plan: "nightly",
			began: Date.now(),
			part: { server: "server", done: 1_000_000, total: 2_000_000 },
			isStopping: false,
		},
		registration: { followed: "asItWas", problem: null },
	});
	await queries.invalidateQueries({ queryKey: queryKeys.planRunner });
	expect(await within(row).findByText(/: 1\.0 MB of 2\.0 MB downloaded$/)).toBeVisible();

	vi.mocked(backend.planRunner).mockRestore();
	await user.click(within(row).getByRole("button", { name: "Stop Nightly" }));
	const dialog = await screen.findByRole("dialog", { name: "Stop the run of Nightly?" });
	await user.click(within(dialog).getByRole("button", { name: "Stop the run" }));
	expect(await within(row).findByText("Stopping")).toBeVisible();
});

test("a run that is over before its progress is read shows what it left", async () => {
	const ended = planOf(production);
	const { user, backend } = show([planOf(production, { state: { kind: "new" }, last: null, verified: null })]);
	const row = await screen.findByRole("row", { name: "Nightly" });
	const [list, sets] = [await backend.listPlans(production.id), await backend.planSets("nightly")];
	vi.spyOn(backend, "runPlanNow").mockImplementation(async () => {
		vi.spyOn(backend, "listPlans").mockResolvedValue({ ...list, plans: [ended] });
		vi.spyOn(backend, "planSets").mockResolvedValue({ ...sets, sets: [setOf(ended, 0)] });
		return null;
	});
	await user.click(await screen.findByRole("button", { name: "Run now: Nightly" }));
	expect(await within(row).findByText("Verified", {}, { timeout: 5_000 })).toBeVisible();
	expect(await screen.findByRole("button", { name: /^Open set of/ })).toBeVisible();
});

test("when the disk will be full is said with the sets", async () => {
	const { user, backend, container } = show([planOf(production)]);
	const sets = await backend.planSets("nightly");
	const fullAt = new Date("2026-12-24T02:00:00").getTime();
	vi.spyOn(backend, "planSets").mockResolvedValue({ ...sets, free: 4_300_000_000, fullAt });
	await user.click(await screen.findByRole("button", { name: "Show the sets of Nightly" }));
	expect(await screen.findByText(/4\.30.GB.* free, checked \d+:.*disk full about .*Dec 24, 2026/)).toBeVisible();
	expect(await axeFindings(container)).toEqual([]);
});

test("a set that could not be removed says why, and a copy of a set is named as one", async () => {
	const plan = planOf(production);
	const { user, backend } = show([plan]);
	const sets = await backend.planSets("nightly");
	const set = setOf(plan, 9);
	const notRemoved = { name: set.name, since: Date.now(), why: { kind: "inUse" } as const };
	vi.spyOn(backend, "planSets").mockResolvedValue({
		...sets,
		sets: [{ ...set, fate: { kind: "removed" }, notRemoved }],
		strange: [
			{ folder: "/b/1 - Copy", why: { kind: "copy", of: "1" } },
			{ folder: "/b/2", why: { kind: "unreadable", said: "no access" } },
		],
	});
	await user.click(await screen.findByRole("button", { name: "Show the sets of Nightly" }));
	expect(await screen.findByText("not removed: a file is open in another program")).toBeVisible();
	const notice = screen.getByRole("status", { name: /^2 folders cannot be used as sets/ });
	const texts = notice.textContent?.replace(/[\u2066-\u2069]/g, "");
	expect(texts).toContain("/b/1 - Copy: a copy of the set 1, or that set under another name.");
	expect(texts).toContain("/b/2: no access");
});

test("that the plans are not registered is said with the reason of the system", async () => {
	const { world } = usualWorld();
	const registration = { followed: null, problem: "Access denied" };
	renderWith(<PlansPage site={production} chosen={null} />, {
		world: { ...world, sites: [production], plans: [planOf(production)], registration },
	});
	const notice = await screen.findByRole("status", { name: "The plans are not registered with this computer" });
	expect(notice).toHaveTextContent("Access denied");
});
