import { screen, waitFor, within } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { site, usualWorld } from "@/test/forms-and-dialogs";
import { planOf, setOf } from "@/test/plans";
import { axeFindings, fill, renderWith } from "@/test/render";
import { EditPlanPage } from "./edit-plan-page";
import { timesOf } from "./values";

const production = { ...site, id: "city", name: "City GIS", environment: "production" as const };
const plan = planOf(production);

function show(id: string | null) {
	const { world } = usualWorld();
	const sets = [setOf(plan, 1), { ...setOf(plan, 2), fate: { kind: "removed" as const } }];
	return renderWith(<EditPlanPage site={production} plan={id} />, {
		world: { ...world, sites: [production], plans: [plan], planSets: new Map([["nightly", sets]]) },
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
			{ kind: "portal", location: "D:\\exports", seenAt: null },
			{ kind: "server", server: "server" },
			{ kind: "server", server: "second" },
		]);
		expect([saved?.isEnabled, saved?.schedule.days.length]).toEqual([true, 7]);
	});
});

test("what a plan lacks is said at its field, and keeps no plan from being saved as paused", async () => {
	const { user, backend } = show(null);
	await fill(user, await screen.findByLabelText("Name"), "Later");
	await user.click(screen.getByRole("button", { name: "Save plan" }));
	await waitFor(() => expect(screen.getByLabelText("Folder on the portal")).toHaveAttribute("aria-invalid", "true"));
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
