import { useQuery } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Backend, GuidedTourStep } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { queryKeys } from "@/lib/queries/keys";
import { Leaving } from "@/test/leaving";
import { pastOf } from "@/test/past";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { RefreshInvitation } from "./form";

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<RefreshInvitation site={site} />, { world, ...options });
}

/** Check boxes of the invitations, in the order of expiration. */
const boxes = () => screen.findAllByRole("checkbox", { name: / to / });

async function refreshFirst(user: ReturnType<typeof show>["user"]) {
	await user.click((await boxes())[0] as HTMLElement);
	await user.click(screen.getByRole("button", { name: "Refresh invitation" }));
	await user.click(await screen.findByRole("button", { name: "Refresh for 72 hours" }));
}

it("says until when the invitation is valid and where its file is", async () => {
	const { user } = show();
	await refreshFirst(user);
	expect(await screen.findByText(/^The invitation is valid until .* \(72 h\sleft\)$/)).toBeVisible();
	expect(screen.getByText(/^\/home\/sam\/Documents\/.*\.invite$/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("keeps a refreshed invitation in hand when the dialog is closed, and saves it again", async () => {
	const { site, world } = signedInSite();
	const closed = fakeBackend({ world, saveTo: null });
	const open = fakeBackend({ world });
	const backend = { ...closed, saveInvitationAgain: open.saveInvitationAgain };
	const { user } = renderWith(<RefreshInvitation site={site} />, backend);
	await refreshFirst(user);
	expect(await screen.findByText(/The app keeps it until you save it/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Save…" }));
	expect(await screen.findByText(/\.invite$/)).toBeVisible();
});

it("has the step of the guided lap behind once the file is saved, and not before", async () => {
	const { site, world } = signedInSite();
	const seen: GuidedTourStep[] = [];
	const practised = { ...world, guidedTour: { begun: Date.now(), folded: false, seen } };
	const backend = fakeBackend({ world: practised, saveTo: null });
	const { saveInvitationAgain } = fakeBackend({ world: practised });
	backend.saveInvitationAgain = async (kept) => {
		seen.push("refreshInvitation");
		return saveInvitationAgain(kept);
	};
	function Steps() {
		const lap = useQuery({ queryKey: queryKeys.guidedTour, queryFn: () => backend.guidedTour() });
		return <p>{lap.data?.steps.filter(({ done }) => done).length} steps done</p>;
	}
	const { user } = renderWith(
		<>
			<RefreshInvitation site={site} />
			<Steps />
		</>,
		backend,
	);
	await refreshFirst(user);
	expect(await screen.findByText(/The app keeps it until you save it/)).toBeVisible();
	expect(screen.getByText("0 steps done")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Save…" }));
	expect(await screen.findByText("1 steps done")).toBeVisible();
});

it("asks before it refreshes, and names the site and what is refreshed", async () => {
	const { user, backend } = show();
	await user.click((await boxes())[0] as HTMLElement);
	await user.click(screen.getByRole("button", { name: "Refresh invitation" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Refresh 1 invitation on City GIS?" }));
	expect(dialog.getByText("Invitation for https://museum.example.org/portal to Regional base data")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(dialog.getByRole("button", { name: "Cancel" }));
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	expect(await pastOf(backend)).toEqual([]);
	expect((await boxes())[0]).toBeChecked();
});

it.each([1, 2])("sends the reason with %i of the list", async (count) => {
	const { user, backend } = show();
	const sent = [vi.spyOn(backend, "refreshInvitation"), vi.spyOn(backend, "refreshInvitations")];
	for (const box of (await boxes()).slice(0, count)) await user.click(box);
	await user.click(screen.getByRole("button", { name: /^Refresh (invitation|2 invitations)/ }));
	await fill(user, await screen.findByLabelText(/^Reason/), "CHG-12");
	await user.click(screen.getByRole("button", { name: "Refresh for 72 hours" }));
	await waitFor(() => expect(sent[count - 1]).toHaveBeenCalled());
	expect(sent[count - 1]?.mock.lastCall?.[1]).toMatchObject({ reason: "CHG-12" });
});

it("cannot be sent before an invitation is picked", async () => {
	show();
	expect(await screen.findByRole("button", { name: "Refresh invitation" })).toBeDisabled();
});

it("shows names from a server as text and never as markup", async () => {
	const { world } = signedInSite();
	const hostile = '<img src=x onerror="alert(1)">';
	const { container } = show({
		world: {
			...world,
			invitations: [
				{
					collaborationId: "c",
					collaborationName: hostile,
					invitationId: "i",
					guestPortalUrl: hostile,
					status: hostile,
					expiration: null,
					expiresIn: null,
					hostedElsewhere: null,
					gap: null,
				},
			],
		},
	});
	expect((await screen.findAllByText(hostile)).length).toBe(3);
	expect(container.querySelector("img")).toBeNull();
});

it("says that it is saved once it is", async () => {
	const { site, world } = signedInSite();
	const closed = fakeBackend({ world, saveTo: null });
	const backend = { ...closed, saveInvitationAgain: fakeBackend({ world }).saveInvitationAgain };
	const { user } = renderWith(<RefreshInvitation site={site} />, backend);
	await refreshFirst(user);
	expect(await screen.findByRole("status", { name: "The file is not saved in a folder yet" })).toBeVisible();
	expect(screen.getByText("Succeeded")).toBeVisible();
	expect(screen.queryByText("The file is not saved on this computer yet.")).toBeNull();
	await user.click(screen.getByRole("button", { name: "Save…" }));
	expect(await screen.findByText("Saved file")).toBeVisible();
	expect(screen.queryByText(/The app keeps it until you save it/)).toBeNull();
});

it("warns of an invitation that a portal did not extend although it confirmed the refresh", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const unchanged: Backend = {
		...backend,
		refreshInvitation: async (...parameters) => {
			const ended = await backend.refreshInvitation(...parameters);
			return ended.kind === "done" ? { ...ended, report: { ...ended.report, isExtended: false } } : ended;
		},
	};
	const { user } = renderWith(<RefreshInvitation site={site} />, unchanged);
	await refreshFirst(user);
	expect(
		await screen.findByText(/^The portal confirmed the refresh, but the invitation does not end later/),
	).toBeVisible();
	expect(screen.getByText("Completed with warnings")).toBeVisible();
	expect(screen.queryByText(/^Reminders start/)).toBeNull();
});

it("counts the hours that are left", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const shorter: Backend = {
		...backend,
		refreshInvitation: async (...args) => {
			const ended = await backend.refreshInvitation(...args);
			if (ended.kind === "done") ended.report.expiration = Date.now() + 48 * 3_600_000;
			return ended;
		},
	};
	const { user } = renderWith(<RefreshInvitation site={site} />, shorter);
	await refreshFirst(user);
	expect(await screen.findByText(/^The invitation is valid until .* \(48 h\sleft\)$/)).toBeVisible();
});

it("quotes the portal when it refuses, and keeps what was picked", async () => {
	const message = "The invitation was withdrawn.";
	const { user } = show({ fail: { refreshInvitation: { kind: "rejected", code: 400, message, details: [] } } });
	await refreshFirst(user);
	expect(await screen.findByText(message)).toBeVisible();
	expect((await boxes())[0]).toBeChecked();
	expect(screen.getByRole("button", { name: "Refresh invitation" })).toBeEnabled();
});

/** Refreshes an invitation by ID and confirms it. */
async function refreshByIdentifier(user: ReturnType<typeof show>["user"]) {
	await user.click(screen.getByRole("tab", { name: "By ID" }));
	await fill(user, screen.getByLabelText("Collaboration ID"), "c-regional");
	await fill(user, screen.getByLabelText("Invitation ID"), "i-harbor");
	await user.click(screen.getByRole("button", { name: "Refresh invitation" }));
	await user.click(await screen.findByRole("button", { name: "Refresh for 72 hours" }));
}

it("keeps by identifier what was corrected after a refusal while the list is looked at", async () => {
	const message = "The invitation was withdrawn.";
	const { user } = show({ fail: { refreshInvitation: { kind: "rejected", code: 400, message, details: [] } } });
	await refreshByIdentifier(user);
	expect(await screen.findByText(message)).toBeVisible();
	expect(screen.getByLabelText("Invitation ID")).toHaveValue("i-harbor");
	await fill(user, screen.getByLabelText("Invitation ID"), "i-museum");
	await user.click(screen.getByRole("tab", { name: "From the list" }));
	await user.click(screen.getByRole("tab", { name: "By ID" }));
	expect(screen.getByLabelText("Invitation ID")).toHaveValue("i-museum");
	expect(screen.getByLabelText("Collaboration ID")).toHaveValue("c-regional");
});

it("keeps what was typed by identifier when it is stopped before it is sent", async () => {
	const { site, world } = signedInSite();
	const backend: Backend = {
		...fakeBackend({ world }),
		refreshInvitation: async () => ({ kind: "notSent", record: null, backup: null }),
	};
	const { user } = renderWith(<RefreshInvitation site={site} />, backend);
	await refreshByIdentifier(user);
	expect(await screen.findByText(/^Stopped before the request was sent/)).toBeVisible();
	expect(screen.getByLabelText("Collaboration ID")).toHaveValue("c-regional");
	expect(screen.getByLabelText("Invitation ID")).toHaveValue("i-harbor");
});

it("shows invitations that wait since an earlier start until they are saved or let go of", async () => {
	const { world } = signedInSite();
	const waiting = (kept: string, expired = false) => ({
		site: "city",
		kept,
		fileName: `${kept}.invite`,
		refreshedAt: Date.now() - 7_200_000,
		expired,
	});
	const { user } = show({ world: { ...world, keptInvitations: [waiting("museum"), waiting("harbour", true)] } });
	expect(await screen.findByText("2 refreshed invitations are not saved yet")).toBeVisible();
	expect(screen.getByText("museum.invite, refreshed 2 hours ago")).toBeVisible();
	expect(screen.getByText(/^harbour\.invite, .* the invitation has expired\./)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Save museum.invite" }));
	expect(await screen.findByText("1 refreshed invitation is not saved yet")).toBeVisible();
	expect(screen.getByText("Saved file")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Discard harbour.invite" }));
	const dialog = await screen.findByRole("dialog", { name: "Discard harbour.invite?" });
	expect(await axeFindings()).toEqual([]);
	await user.click(within(dialog).getByRole("button", { name: "Discard the file" }));
	await waitFor(() => expect(screen.queryByText(/not saved yet/)).toBeNull());
});

it("opens one dialog at a time for the invitations that wait", async () => {
	const { site, world } = signedInSite();
	const waiting = (kept: string) => ({
		site: "city",
		kept,
		fileName: `${kept}.invite`,
		refreshedAt: Date.now(),
		expired: false,
	});
	const opened: string[] = [];
	const backend: Backend = {
		...fakeBackend({ world: { ...world, keptInvitations: [waiting("museum"), waiting("harbour")] } }),
		saveInvitationAgain: (kept) => {
			opened.push(kept);
			return new Promise(() => {});
		},
	};
	const { user } = renderWith(<RefreshInvitation site={site} />, backend);
	await user.dblClick(await screen.findByRole("button", { name: "Save museum.invite" }));
	expect(screen.getByRole("button", { name: "Save harbour.invite" })).toBeDisabled();
	// An invitation that is being saved cannot be discarded.
	expect(screen.getByRole("button", { name: "Discard museum.invite" })).toBeDisabled();
	expect(opened).toEqual(["museum"]);
});

it("counts what is left by the portal's clock", async () => {
	const { world } = signedInSite();
	const hour = 3_600_000;
	// The clock of this computer is five hours behind that of the portal.
	const invitation = {
		collaborationId: "c",
		collaborationName: "Regional",
		invitationId: "i",
		guestPortalUrl: "https://guest.example.org/portal",
		status: "pending",
		expiration: Date.now() + 4 * hour,
		expiresIn: -hour,
		hostedElsewhere: null,
		gap: null,
	};
	show({ world: { ...world, invitations: [invitation] } });
	expect(await screen.findByText("1 h ago")).toBeVisible();
	expect(screen.getByText(/^The portal clock is 5 h ahead of the clock of this computer/)).toBeVisible();
});

it("keeps the search and the selection while another page is shown", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(
		<Leaving>
			<RefreshInvitation site={site} />
		</Leaving>,
		{ world },
	);
	await user.click((await boxes())[0] as HTMLElement);
	const search = () => screen.findByRole("searchbox");
	await fill(user, await search(), "portal");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await search()).toHaveValue("portal");
	expect(screen.getByRole("button", { name: "Refresh invitation" })).toBeEnabled();
});

it("reads the invitations again before it asks, and names those that are gone", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	let isGone = false;
	const list: Backend["listInvitations"] = async (id) => {
		const all = await backend.listInvitations(id);
		return isGone ? all.slice(1) : all;
	};
	const { user } = renderWith(<RefreshInvitation site={site} />, { ...backend, listInvitations: list });
	for (const box of await boxes()) await user.click(box);
	isGone = true;
	await user.click(screen.getByRole("button", { name: /^Refresh .* invitations/ }));
	expect(await screen.findByText("1 selected invitation is no longer there")).toBeVisible();
	expect(screen.queryByRole("dialog")).toBeNull();
	expect(await axeFindings()).toEqual([]);
	expect(await pastOf(backend)).toEqual([]);
});
