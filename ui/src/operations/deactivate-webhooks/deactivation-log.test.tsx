import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Backend, DeactivationView } from "@/bridge";
import { memoryBackend } from "@/bridge/fake-backend";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { silenced } from "@/test/silence";
import { DeactivateWebhooks } from "./form";

const day = 24 * 3_600_000;
const service = "Water/Mains.FeatureServer";

function silence(changes: Partial<DeactivationView> = {}): DeactivationView {
	return silenced({ deactivatedAt: Date.now() - 3 * day - 1_000, why: "The receiver moves", ...changes });
}

function show(silences: DeactivationView[], changes: (backend: Backend) => Partial<Backend> = () => ({})) {
	const { site, world } = signedInSite();
	const backend = memoryBackend({ world: { ...world, silences } });
	return renderWith(<DeactivateWebhooks site={site} />, { ...backend, ...changes(backend) });
}

const entry = () => screen.findByRole("group", { name: service });

it("says since when, by whom and why, and that it is long ago", async () => {
	show([silence()]);
	const group = await entry();
	expect(group).toHaveTextContent("Silent for 3 days");
	expect(group).toHaveTextContent(/Silent since .*, by gisadmin/);
	expect(group).toHaveTextContent("Why: The receiver moves");
	expect(group).toHaveTextContent("Active before: mains-leaks");
	expect(await axeFindings()).toEqual([]);
});

it("offers no restoration where it is not known what was active", async () => {
	show([silence({ active: null, deactivatedAt: Date.now() })]);
	const group = await entry();
	expect(group).toHaveTextContent("did not say which webhooks were active");
	expect(group).not.toHaveTextContent("Silent for");
	expect(within(group).queryByRole("button", { name: /^Restore/ })).toBeNull();
});

it("reminds at a time of the person's choice, and not at all when that is wanted", async () => {
	const { user, backend } = show([silence()]);
	const open = async () => user.click(await screen.findByRole("button", { name: `Remind me of ${service}` }));
	await open();
	await user.click(await screen.findByRole("menuitem", { name: /^Tomorrow/ }));
	await waitFor(async () => expect(await entry()).toHaveTextContent(/Reminder .*9:00/));
	await open();
	await user.click(await screen.findByRole("menuitem", { name: "At another time" }));
	const dialog = await screen.findByRole("dialog", { name: "Remind me of a silent service" });
	expect(await axeFindings()).toEqual([]);
	await user.click(within(dialog).getByRole("button", { name: "Remind me then" }));
	await waitFor(() => expect(screen.queryByRole("dialog", { name: "Remind me of a silent service" })).toBeNull());
	await open();
	await user.click(await screen.findByRole("menuitem", { name: "Do not remind me" }));
	await waitFor(async () => expect((await backend.listDeactivations("city"))[0]?.remindAt).toBeNull());
	await waitFor(async () => expect(await entry()).not.toHaveTextContent("Reminder"));
});

it("lets go of what was done by hand, and keeps it among what was dealt with", async () => {
	const { user } = show([silence({ active: null })]);
	await user.click(await screen.findByRole("button", { name: `Mark as done: ${service}` }));
	await user.click(await screen.findByRole("button", { name: "It is done" }));
	expect(await screen.findByText("Nothing that was silenced from here is silent now.")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "1 dealt with" }));
	expect(screen.getByText(/Mains\.FeatureServer: marked as done .* by gisadmin/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("gives the list to activate by hand where the server refuses", async () => {
	const { user } = show([silence()], () => ({
		reactivateWebhooks: async () => ({
			kind: "done",
			record: "r1",
			at: Date.now(),
			took: 10,
			report: {
				service,
				recorded: true,
				webhooks: [
					{
						name: "mains-leaks",
						end: { kind: "refused", problem: { kind: "refused", code: 404, message: "No such thing.", details: [] } },
					},
				],
			},
		}),
	}));
	await user.click(await screen.findByRole("button", { name: new RegExp(`^Restore \\d webhooks? of ${service}`) }));
	await user.click(await screen.findByRole("button", { name: "Activate 1 webhook" }));
	expect(await screen.findByText(`Not every webhook of ${service} is active again`)).toBeVisible();
	expect(screen.getByText("No such thing.")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Copy what is left to activate" }));
	expect(await navigator.clipboard.readText()).toBe(`${service}\n- mains-leaks`);
});

it("says that a restoration succeeded although it could not be recorded", async () => {
	const webhooks = [{ name: "mains-leaks", end: { kind: "activated" as const } }];
	const report = { service, recorded: false, webhooks };
	const { user } = show([silence()], () => ({
		reactivateWebhooks: async () => ({ kind: "done", record: null, at: Date.now(), took: 10, report }),
	}));
	await user.click(await screen.findByRole("button", { name: new RegExp(`^Restore \\d webhooks? of ${service}`) }));
	await user.click(await screen.findByRole("button", { name: "Activate 1 webhook" }));
	expect(await screen.findByText(`The webhooks of ${service} are as they were`)).toBeVisible();
	expect(screen.getByText(/could not be recorded/)).toBeVisible();
});

it("says that the unknown outcome of a restoration could not be written to the history", async () => {
	const { user } = show([silence()], () => ({
		reactivateWebhooks: async () => ({ kind: "unknown", record: null, stopped: true, problem: null, canUndo: false }),
	}));
	await user.click(await screen.findByRole("button", { name: new RegExp(`^Restore \\d webhooks? of ${service}`) }));
	await user.click(await screen.findByRole("button", { name: "Activate 1 webhook" }));
	expect(await screen.findByRole("status", { name: "Not recorded in the history" })).toBeVisible();
});

it("says in words why something is declined", async () => {
	const { user } = show([silence()], () => ({
		reactivateWebhooks: async () => {
			throw { kind: "preconditionFailed", why: { kind: "otherServer", server: "Imagery" } };
		},
	}));
	await user.click(await screen.findByRole("button", { name: new RegExp(`^Restore \\d webhooks? of ${service}`) }));
	await user.click(await screen.findByRole("button", { name: "Activate 1 webhook" }));
	expect(await screen.findByText(/on the server “Imagery”/)).toBeVisible();
});
