import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { App } from "@/app/app";
import type {
	Backend,
	BatchItemResult,
	DeactivationView,
	ReactivatedWebhook,
	ReactivationEnd,
	ReactivationReport,
	RunResult,
} from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { together } from "@/bridge/fake-backend/batch";
import { deactivated, servicesWithActive } from "@/test/deactivation";
import { Leaving } from "@/test/leaving";
import { pastOf } from "@/test/past";
import { axeFindings, lastAt, renderWith, signedInSite } from "@/test/render";
import { DeactivateWebhooks } from "./form";

const day = 24 * 3_600_000;
const service = "Water/Mains.FeatureServer";

function deactivation(changes: Partial<DeactivationView> = {}): DeactivationView {
	return deactivated({ deactivatedAt: Date.now() - 3 * day - 1_000, why: "The receiver moves", ...changes });
}

function show(
	deactivations: DeactivationView[],
	changes: (backend: Backend) => Partial<Backend> = () => ({}),
	active: string[] = [],
) {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world: { ...world, deactivations, services: servicesWithActive(...active) } });
	return renderWith(<DeactivateWebhooks site={site} />, { ...backend, ...changes(backend) });
}

/** Returns a report with the counts that the app would return. */
function reportOf(webhooks: ReactivatedWebhook[], changes: Partial<ReactivationReport> = {}): ReactivationReport {
	const number = (...kinds: ReactivationEnd["kind"][]) => webhooks.filter(({ end }) => kinds.includes(end.kind)).length;
	const counts = { inactive: webhooks.length - number("wasActive"), reactivated: number("activated") };
	const ended = number("activated", "wasActive") === webhooks.length ? "succeeded" : "warnings";
	const outcome = number("rejected", "notSent") === webhooks.length ? "failed" : ended;
	return { service, webhooks, counts, outcome, recorded: true, ...changes };
}

const rejected = (name: string, code = 404): ReactivatedWebhook => ({
	name,
	end: { kind: "rejected", problem: { kind: "rejected", code, message: "No such thing.", details: [] } },
});

/** Returns an entry of the log. Opens the log if necessary. */
async function entry(path = service): Promise<HTMLElement> {
	await openLog();
	return screen.findByRole("group", { name: path });
}

async function openLog(): Promise<void> {
	const link = await screen.findByRole("button", { name: /^Deactivation log \(/ });
	await screen.findAllByRole("table");
	if (link.getAttribute("aria-expanded") === "false") await userEvent.click(link);
}

it("says since when, by whom and why, and that it is long ago", async () => {
	show([deactivation()]);
	const group = await entry();
	expect(group).toHaveTextContent("Deactivated for 3 days");
	expect(group).toHaveTextContent(/Deactivated .* by gisadmin/);
	expect(group).toHaveTextContent("Reason: The receiver moves");
	expect(group).toHaveTextContent("Active before: mains-leaks");
	expect(await axeFindings()).toEqual([]);
});

it("has the entries of its server, and not those of another one of the site", async () => {
	show([deactivation(), deactivation({ id: "s2", server: "imagery", service: "Roads/Works.FeatureServer" })]);
	expect(await entry()).toBeVisible();
	expect(screen.queryByRole("group", { name: "Roads/Works.FeatureServer" })).toBeNull();
});

it("offers no restoration where it is not known what was active", async () => {
	show([deactivation({ active: null, deactivatedAt: Date.now() })]);
	const group = await entry();
	expect(group).toHaveTextContent("did not report which webhooks were active");
	expect(group).not.toHaveTextContent("Deactivated for");
	expect(within(group).queryByRole("button", { name: /^Reactivate/ })).toBeNull();
});

it("reminds at a time of the person's choice, and not at all when that is wanted", async () => {
	const { user, backend } = show([deactivation()]);
	await openLog();
	const open = async () => user.click(await screen.findByRole("button", { name: `Remind me of ${service}` }));
	await open();
	await user.click(await screen.findByRole("menuitem", { name: /^Tomorrow/ }));
	await waitFor(async () => expect(await entry()).toHaveTextContent(/Reminder: .*9:00/));
	await open();
	await user.click(await screen.findByRole("menuitem", { name: "At another time…" }));
	const dialog = await screen.findByRole("dialog", { name: "Set a reminder" });
	expect(await axeFindings()).toEqual([]);
	await user.click(within(dialog).getByRole("button", { name: "Set reminder" }));
	await waitFor(() => expect(screen.queryByRole("dialog", { name: "Set a reminder" })).toBeNull());
	await open();
	await user.click(await screen.findByRole("menuitem", { name: "Do not remind me" }));
	await waitFor(async () => expect((await backend.listDeactivations("city"))[0]?.remindAt).toBeNull());
	await waitFor(async () => expect(await entry()).not.toHaveTextContent("Reminder"));
});

it("says of a reminder that it is due, until it is set to another time", async () => {
	show([deactivation({ remindAt: Date.now() - 3_600_000 })]);
	await openLog();
	expect(await entry()).toHaveTextContent(/Reminder due since .*\d:\d\d/);
});

it("lets go of what was done by hand, and keeps it among what was dealt with", async () => {
	const { user } = show([deactivation({ active: null })]);
	await openLog();
	await user.click(await screen.findByRole("button", { name: `Mark as resolved: ${service}` }));
	await user.click(await screen.findByRole("button", { name: "Mark as resolved" }));
	expect(await screen.findByText("No open entries.")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "1 resolved" }));
	expect(screen.getByText(/Mains\.FeatureServer: marked as resolved by gisadmin \(/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("gives the list to activate by hand where the server refuses", async () => {
	const { user } = show([deactivation()], () => ({
		reactivateWebhooks: async () => ({
			kind: "done",
			record: "r1",
			at: Date.now(),
			took: 10,
			report: reportOf([rejected("mains-leaks")]),
		}),
	}));
	await user.click(await screen.findByRole("button", { name: new RegExp(`^Reactivate \\d webhooks? of ${service}`) }));
	await user.click(await screen.findByRole("button", { name: "Reactivate 1 webhook" }));
	expect(await screen.findByRole("alert", { name: `Failed No webhook of ${service} was reactivated` })).toBeVisible();
	expect(screen.getByText("No such thing.")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Copy remaining webhooks" }));
	expect(await navigator.clipboard.readText()).toBe(`${service}\n- mains-leaks`);
});

it("says that a restoration succeeded although it could not be recorded", async () => {
	const webhooks = [{ name: "mains-leaks", end: { kind: "activated" as const } }];
	const report = reportOf(webhooks, { recorded: false });
	const { user } = show([deactivation()], () => ({
		reactivateWebhooks: async () => ({ kind: "done", record: null, at: Date.now(), took: 10, report }),
	}));
	await user.click(await screen.findByRole("button", { name: new RegExp(`^Reactivate \\d webhooks? of ${service}`) }));
	await user.click(await screen.findByRole("button", { name: "Reactivate 1 webhook" }));
	expect(await screen.findByText(`Reactivated the webhooks of ${service}`)).toBeVisible();
	expect(screen.getByText(/is not recorded/)).toBeVisible();
});

it("says that the unknown outcome of a restoration could not be written to the history", async () => {
	const { user } = show([deactivation()], () => ({
		reactivateWebhooks: async () => ({ kind: "unknown", record: null, stopped: true, problem: null, canUndo: false }),
	}));
	await user.click(await screen.findByRole("button", { name: new RegExp(`^Reactivate \\d webhooks? of ${service}`) }));
	await user.click(await screen.findByRole("button", { name: "Reactivate 1 webhook" }));
	expect(await screen.findByRole("status", { name: "Not recorded in the history" })).toBeVisible();
});

it("says in words why something is declined", async () => {
	const { user } = show([deactivation()], () => ({
		reactivateWebhooks: async () => {
			throw { kind: "preconditionFailed", why: { kind: "otherServer", server: "Imagery" } };
		},
	}));
	await user.click(await screen.findByRole("button", { name: new RegExp(`^Reactivate \\d webhooks? of ${service}`) }));
	await user.click(await screen.findByRole("button", { name: "Reactivate 1 webhook" }));
	expect(await screen.findByText(/on the server “Imagery”/)).toBeVisible();
});

it("says of an entry whose webhooks are active again that they are, and offers only to mark it", async () => {
	show([deactivation()], undefined, ["mains-leaks"]);
	const group = await entry();
	await waitFor(() => expect(group).toHaveTextContent(/All of these webhooks are active again on the server/));
	expect(group).not.toHaveTextContent(/Deactivated \d|Deactivated for/);
	expect(within(group).queryByRole("button", { name: /^Reactivate/ })).toBeNull();
	expect(within(group).getByRole("button", { name: `Mark as resolved: ${service}` })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("names the webhooks of an entry that are active again, where others are not", async () => {
	const path = "Water/Pressure.GPServer";
	show([deactivation({ service: path, active: ["pressure-done", "pressure-failed"] })], undefined, ["pressure-done"]);
	const group = await entry(path);
	await waitFor(() =>
		expect(group).toHaveTextContent(/1 of 2 webhooks is active again on the server: pressure-done\./),
	);
	expect(within(group).getByRole("button", { name: /^Reactivate 1 webhook of/ })).toBeVisible();
});

it("names what is active of a service whose webhooks were not known", async () => {
	show([deactivation({ active: null })], undefined, ["mains-leaks"]);
	const group = await entry();
	await waitFor(() =>
		expect(group).toHaveTextContent(/1 webhook of this service is active again on the server: mains-leaks\./),
	);
});

it("compares the log with the site each time it is opened and when the list is refreshed", async () => {
	let compared = 0;
	const { user } = show([deactivation()], (backend) => ({
		compareDeactivations: (site) => {
			compared += 1;
			return backend.compareDeactivations(site);
		},
	}));
	await entry();
	await waitFor(() => expect(compared).toBe(1));
	await user.click(await screen.findByRole("button", { name: "Reload" }));
	await waitFor(() => expect(compared).toBe(2));
});

const streetlights = "Hosted/Streetlights.FeatureServer";

function two(): DeactivationView[] {
	return [deactivation(), deactivation({ id: "s2", service: streetlights, active: ["streetlight-outages"] })];
}

it("reactivates the webhooks of all entries at once, after naming them", async () => {
	const unknown = deactivation({ id: "s3", service: "Parcels/Splits.GPServer", active: null });
	const again = deactivation({ id: "s4", service: "Hosted/Hydrants.FeatureServer", active: ["hydrant-archive"] });
	const { user, backend } = show([...two(), unknown, again], undefined, ["hydrant-archive"]);
	const button = await screen.findByRole("button", { name: "Reactivate 2 webhooks" });
	await user.click(button);
	const dialog = await screen.findByRole("dialog", { name: "Reactivate 2 webhooks on City GIS?" });
	expect(dialog).toHaveTextContent(service);
	expect(dialog).toHaveTextContent(streetlights);
	expect(dialog).not.toHaveTextContent(/Splits|Hydrants/);
	expect(await axeFindings()).toEqual([]);
	await user.click(within(dialog).getByRole("button", { name: "Reactivate 2 webhooks" }));
	expect(await screen.findByText("Reactivated 2 webhooks on City GIS")).toBeVisible();
	expect(
		screen.getByRole("row", { name: new RegExp(`${streetlights}.*streetlight-outages: active again`) }),
	).toBeVisible();
	const records = await pastOf(backend);
	expect(records.map(({ operation }) => operation)).toEqual(["reactivate_webhooks", "reactivate_webhooks"]);
	await waitFor(() => expect(screen.queryByRole("button", { name: /^Reactivate \d+ webhooks$/ })).toBeNull());
	expect(await axeFindings()).toEqual([]);
});

it("says of several entries which were rejected, and sends those again", async () => {
	const sent: string[][] = [];
	const notYours = { kind: "rejected" as const, code: 403, message: "Not yours.", details: [] };
	const { user } = show(two(), (backend) => ({
		reactivateAllWebhooks: (site, run, entries) => {
			sent.push(entries);
			if (sent.length > 1) return backend.reactivateAllWebhooks(site, run, entries);
			const webhooks = [{ name: "mains-leaks", end: { kind: "activated" as const } }];
			const parts = [done(...webhooks), { kind: "rejected" as const, problem: notYours }];
			return Promise.resolve({
				kind: "done",
				record: null,
				at: Date.now(),
				took: 10,
				report: { stopped: false, outcome: together(parts), parts },
			});
		},
	}));
	await user.click(await screen.findByRole("button", { name: "Reactivate 2 webhooks" }));
	await confirm(user);
	expect(await screen.findByText("Reactivated 1 of 2 webhooks on City GIS")).toBeVisible();
	expect(screen.getByRole("row", { name: new RegExp(`${streetlights}.*Not yours\\.`) })).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Try 1 entry again" }));
	const question = within(await screen.findByRole("dialog", { name: "Reactivate 1 webhook on City GIS?" }));
	expect(question.getByText(/^This webhook of .+ was active before it was deactivated/)).toBeVisible();
	expect(question.getByText("streetlight-outages")).toBeVisible();
	await user.click(question.getByRole("button", { name: "Reactivate 1 webhook" }));
	expect(await screen.findByText(`Reactivated the webhooks of ${streetlights}`)).toBeVisible();
	expect(sent).toEqual([["s1", "s2"]]);
});

const pressure = "Water/Pressure.GPServer";

/** Two deactivations of one service, each of a different webhook. */
function twoOfOneService(): DeactivationView[] {
	return [
		deactivation({ id: "s2", service: pressure, active: ["pressure-failed"], activeIds: ["2"] }),
		deactivation({ id: "s1", service: pressure, active: ["pressure-done"], activeIds: ["1"] }),
	];
}

it("counts the webhooks of every open entry of a service in its row, and reactivates all of them", async () => {
	const { user, backend } = show(twoOfOneService());
	const row = (await screen.findByRole("checkbox", { name: pressure })).closest("tr");
	expect(row).toHaveTextContent("2 deactivated here");
	await press(user, `Reactivate 2 webhooks of ${pressure}`)();
	const dialog = within(await screen.findByRole("dialog"));
	expect(dialog.getByText("pressure-done")).toBeVisible();
	expect(dialog.getByText("pressure-failed")).toBeVisible();
	await user.click(dialog.getByRole("button", { name: "Reactivate 2 webhooks" }));
	await waitFor(async () =>
		expect((await backend.listDeactivations("city")).filter(({ resolvedAt }) => resolvedAt === null)).toEqual([]),
	);
});

it("reactivates of the entries of a service only those that are not active again, and asks for their webhooks alone", async () => {
	const { user } = show(twoOfOneService(), undefined, ["pressure-done"]);
	await press(user, `Reactivate 1 webhook of ${pressure}`)();
	const dialog = within(await screen.findByRole("dialog", { name: "Reactivate 1 webhook on City GIS?" }));
	expect(dialog.getByText("pressure-failed")).toBeVisible();
	expect(dialog.queryByText("pressure-done")).toBeNull();
});

it("shows the log where it cannot be read, and lets it be closed", async () => {
	const unread = () => Promise.reject({ kind: "unexpected", message: "The disk is full." });
	const { user } = show([], () => ({ listDeactivations: unread, compareDeactivations: unread }));
	const link = await screen.findByRole("button", { name: /^Deactivation log \(/ });
	const problem = "The app encountered an error";
	expect(await screen.findByText(problem)).toBeVisible();
	expect(link).toHaveAttribute("aria-expanded", "true");
	await user.click(link);
	expect(link).toHaveAttribute("aria-expanded", "false");
	expect(screen.queryByText(problem)).toBeNull();
});

it("offers nothing for all entries where there is one", async () => {
	show([deactivation()]);
	await within(await entry()).findByRole("button", { name: /^Reactivate/ });
	expect(screen.queryByRole("button", { name: /^Reactivate \d+ webhooks$/ })).toBeNull();
});

/** Opens the log on a page that can be left and opened again. */
function leaving(deactivations: DeactivationView[], changes: Partial<Backend> = {}) {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world: { ...world, deactivations, services: servicesWithActive() } });
	return renderWith(
		<Leaving>
			<DeactivateWebhooks site={site} />
		</Leaving>,
		{ ...backend, ...changes },
	);
}

/** Confirms the dialog. Its button has the same label as the button that opened it. */
async function confirm(user: ReturnType<typeof show>["user"]) {
	const dialog = within(await screen.findByRole("dialog"));
	await user.click(dialog.getByRole("button", { name: /^Reactivate \d+ webhooks$/ }));
}

const press = (user: ReturnType<typeof show>["user"], name: string | RegExp) => async () =>
	user.click(await screen.findByRole("button", { name }));

it("shows what came of a reactivation to whoever left the page meanwhile or since, until it is hidden", async () => {
	let answer: (ended: RunResult<ReactivationReport>) => void = () => {};
	const { user } = leaving([deactivation()], {
		reactivateWebhooks: () => new Promise((resolve) => (answer = resolve)),
	});
	const [leave, enter] = [press(user, "Leave"), press(user, "Enter")];
	await press(user, /^Reactivate 1 webhook of/)();
	await press(user, "Reactivate 1 webhook")();
	await leave();
	const report = reportOf([rejected("mains-leaks")]);
	await act(async () => answer({ kind: "done", record: "r1", at: Date.now(), took: 10, report }));
	for (const round of ["meanwhile", "since"]) {
		await enter();
		expect(await screen.findByText(`No webhook of ${service} was reactivated`), round).toBeVisible();
		expect(screen.getByRole("button", { name: "Copy remaining webhooks" })).toBeVisible();
		expect(await axeFindings()).toEqual([]);
		await leave();
	}
	await enter();
	await press(user, "Hide the result")();
	expect(screen.queryByText(/^No webhook of/)).toBeNull();
});

it("shows a reactivation that runs as running to whoever comes back", async () => {
	const { user } = leaving([deactivation()], { reactivateWebhooks: () => new Promise(() => {}) });
	await press(user, /^Reactivate 1 webhook of/)();
	await press(user, "Reactivate 1 webhook")();
	await press(user, "Leave")();
	await press(user, "Enter")();
	expect(within(await entry()).getByRole("button", { name: /^Reactivate 1 webhook of/ })).toHaveAttribute(
		"data-loading",
		"true",
	);
});

it("shows what came of several reactivations to whoever comes back, until another begins", async () => {
	const { user } = leaving([...two(), deactivation({ id: "s3", service: "Hosted/Hydrants.FeatureServer" })], {
		reactivateAllWebhooks: async () => {
			throw { kind: "preconditionFailed", why: { kind: "otherServer", server: "Imagery" } };
		},
	});
	await press(user, /^Reactivate \d+ webhooks$/)();
	await confirm(user);
	await screen.findByText(/on the server “Imagery”/);
	await press(user, "Leave")();
	await press(user, "Enter")();
	expect(await screen.findByText(/on the server “Imagery”/)).toBeVisible();
	await press(user, new RegExp(`^Reactivate 1 webhook of ${service}`))();
	await press(user, "Reactivate 1 webhook")();
	expect(await screen.findByText(`Reactivated the webhooks of ${service}`)).toBeVisible();
	expect(screen.queryByText(/on the server “Imagery”/)).toBeNull();
});

it("asks after a reactivation for what it touched, and not who is signed in or takes part", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world: { ...world, deactivations: [deactivation()], services: servicesWithActive() } });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
	const go = async (page: string) => user.click(await sidebar.findByRole("button", { name: page }));
	await go("Participants");
	await screen.findByRole("table");
	await go("Webhooks");
	await entry();
	const asked = (["session", "listParticipants", "listDeactivations"] as const).map((call) => vi.spyOn(backend, call));
	await user.click(within(await entry()).getByRole("button", { name: /^Reactivate 1 webhook of/ }));
	await press(user, "Reactivate 1 webhook")();
	expect(await screen.findByText("No open entries.")).toBeVisible();
	await go("Participants");
	await screen.findByRole("table");
	// Waits longer than the window does between the end of a run and its queries.
	await new Promise((resolve) => setTimeout(resolve, 400));
	expect(asked.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
});

it("reads again what a reactivation names before it asks, and asks nothing of what is active again meanwhile", async () => {
	let activeMeanwhile = false;
	const { user } = show([deactivation()], (backend) => ({
		compareDeactivations: async (target) =>
			activeMeanwhile
				? [deactivation({ left: [], activeAgain: ["mains-leaks"] })]
				: backend.compareDeactivations(target),
	}));
	const group = await entry();
	const reactivate = await within(group).findByRole("button", { name: /^Reactivate/ });
	activeMeanwhile = true;
	await user.click(reactivate);
	await waitFor(() => expect(within(group).queryByRole("button", { name: /^Reactivate/ })).toBeNull());
	expect(screen.queryByRole("dialog")).toBeNull();
});

it("names in the question only the webhooks that are not active again", async () => {
	const path = "Water/Pressure.GPServer";
	const { user } = show([deactivation({ service: path, active: ["pressure-done", "pressure-failed"] })], undefined, [
		"pressure-done",
	]);
	await user.click(await screen.findByRole("button", { name: /^Reactivate 1 webhook of Water/ }));
	const dialog = within(await screen.findByRole("dialog"));
	expect(dialog.getByText("pressure-failed")).toBeVisible();
	expect(dialog.queryByText("pressure-done")).toBeNull();
});

/** Reactivates one entry, with these results. */
async function ended(webhooks: ReactivatedWebhook[]) {
	const { user } = show([deactivation({ active: webhooks.map(({ name }) => name) })], () => ({
		reactivateWebhooks: async () => ({
			kind: "done",
			record: "r1",
			at: Date.now(),
			took: 10,
			report: reportOf(webhooks),
		}),
	}));
	await press(user, new RegExp(`^Reactivate \\d webhooks? of ${service}`))();
	await press(user, /^Reactivate \d webhooks?$/)();
}

it.each<[string, ReactivationEnd["kind"][]]>([
	[`Reactivated the webhooks of ${service}`, ["activated", "wasActive"]],
	[`Reactivated 1 of 2 webhooks of ${service}`, ["activated", "gone"]],
	[`No webhook of ${service} was reactivated`, ["gone"]],
	[`No webhook of ${service} was reactivated`, ["gone", "wasActive"]],
	[`The webhooks of ${service} were already active`, ["wasActive"]],
])("says in the headline %s", async (headline, kinds) => {
	await ended(kinds.map((kind, at) => ({ name: `w${at}`, end: { kind } as ReactivationEnd })));
	expect(await screen.findByText(headline)).toBeVisible();
});

/** Reactivates two entries, with these results. */
async function endedTogether(...parts: BatchItemResult<ReactivationReport>[]) {
	const shown = show(two(), () => ({
		reactivateAllWebhooks: async () => ({
			kind: "done",
			record: null,
			at: Date.now(),
			took: 10,
			report: { stopped: false, outcome: together(parts), parts },
		}),
	}));
	await press(shown.user, /^Reactivate \d+ webhooks$/)();
	await confirm(shown.user);
	return shown;
}

const gone: BatchItemResult<ReactivationReport> = {
	kind: "rejected",
	problem: { kind: "preconditionFailed", why: { kind: "serviceGone", service: streetlights } },
};
function done(...webhooks: ReactivatedWebhook[]): BatchItemResult<ReactivationReport> {
	const report = reportOf(webhooks);
	return { kind: "done", record: "r1", outcome: report.outcome, report };
}

it("does not offer to try what no longer exists again, and says what to do instead", async () => {
	await endedTogether(gone, done(rejected("streetlight-outages")));
	expect(await screen.findByRole("alert", { name: "Failed No webhook was reactivated on City GIS" })).toBeVisible();
	expect(screen.getByText(/^2 entries cannot be reactivated here/)).toBeVisible();
	expect(screen.getByText(/The server has no service Hosted.Streetlights.FeatureServer any more/)).toBeVisible();
	expect(screen.queryByRole("button", { name: /^Try / })).toBeNull();
});

it("counts no webhook as reactivated where all were active already", async () => {
	const wasActive = { name: "a", end: { kind: "wasActive" as const } };
	await endedTogether(done(wasActive), done(wasActive));
	expect(await screen.findByText("No webhook was reactivated on City GIS")).toBeVisible();
});

it("offers to try again only what can succeed", async () => {
	await endedTogether(gone, { kind: "notSent" });
	expect(await screen.findByRole("button", { name: "Try 1 entry again" })).toBeVisible();
	expect(screen.getByText(/^1 entry cannot be reactivated here/)).toBeVisible();
});

it("has the outcome of the history in the row of an entry of which some webhooks were rejected", async () => {
	const activated = { name: "a", end: { kind: "activated" as const } };
	await endedTogether(done(activated, rejected("b", 500)), done(activated));
	expect(await screen.findByText("Reactivated 2 of 3 webhooks on City GIS")).toBeVisible();
	expect(screen.getByRole("row", { name: /b: rejected by the server.*Completed with warnings/ })).toBeVisible();
	expect(screen.getByRole("button", { name: "Try 1 entry again" })).toBeVisible();
});

it("says of an entry that its service is gone, and offers only to mark it", async () => {
	const path = "Roads/Works.FeatureServer";
	show([deactivation({ service: path }), deactivation({ id: "s2" })]);
	const group = await screen.findByRole("group", { name: path });
	expect(group).toHaveTextContent(/The server had no service of this name any more/);
	expect(within(group).queryByRole("button", { name: /^Reactivate/ })).toBeNull();
	expect(within(group).getByRole("button", { name: `Mark as resolved: ${path}` })).toBeVisible();
	// Only one of the two entries can be reactivated, so there is no button for several.
	expect(screen.queryByRole("button", { name: /^Reactivate \d+ webhooks$/ })).toBeNull();
});

it.each<[string, (backend: Backend) => Partial<Backend>]>([
	[
		"a folder was not listed",
		(backend) => ({
			listServices: async (target) => {
				const services = await backend.listServices(target);
				const gap = { kind: "notListed" as const, reason: "503" };
				return [...services, { path: "", folder: "Roads", name: "", type: "", webhooks: null, gap }];
			},
		}),
	],
	[
		"no service was listed",
		() => ({
			listServices: () => Promise.reject({ kind: "rejected", code: 500, message: "Broken.", details: [] }),
		}),
	],
])("offers the reactivation of a service that is not known to be gone: %s", async (_, changes) => {
	const path = "Roads/Works.FeatureServer";
	show([deactivation({ service: path })], changes);
	const group = await screen.findByRole("group", { name: path });
	expect(within(group).getByRole("button", { name: /^Reactivate 1 webhook of/ })).toBeVisible();
	expect(group).not.toHaveTextContent(/no service of this name/);
});
