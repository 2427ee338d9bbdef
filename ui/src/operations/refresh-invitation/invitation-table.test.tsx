import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { type Backend, type InvitationView, newRun } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { pastOf } from "@/test/past";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { RefreshInvitation } from "./form";

const hour = 3_600_000;

function show(options: Parameters<typeof renderWith>[1] = {}, world = {}) {
	const { site, world: usual } = signedInSite();
	return renderWith(<RefreshInvitation site={site} />, { world: { ...usual, ...world }, ...options });
}

type User = ReturnType<typeof show>["user"];

/** Returns an invitation that expires in this number of hours; `null` if the portal does not return a time. */
function invitation(id: string, hours: number | null): InvitationView {
	return {
		collaborationId: "c",
		collaborationName: "Regional",
		invitationId: id,
		guestPortalUrl: `https://${id}.example.org/portal`,
		status: "host_created",
		expiration: hours === null ? null : Date.now() + hours * hour,
		expiresIn: hours === null ? null : hours * hour,
		hostedElsewhere: null,
		gap: null,
	};
}

async function pickAll(user: User) {
	for (const group of await screen.findAllByRole("checkbox", { name: /^All of/ })) await user.click(group);
}

async function refresh(user: User, name: string) {
	await user.click(screen.getByRole("button", { name }));
	await user.click(await screen.findByRole("button", { name: "Refresh for 72 hours" }));
}

it("names a collaboration whose invitations the portal did not return", async () => {
	const gap = { kind: "notListed" as const, reason: "You do not have permissions." };
	show({}, { invitations: [invitation("soon", 5), { ...invitation("", null), collaborationName: "Map", gap }] });
	expect(await screen.findByText("Map was not returned by the site: You do not have permissions.")).toBeVisible();
	expect(screen.getAllByRole("checkbox", { name: /^https|soon/ })).toHaveLength(1);
});

it("orders invitations by what runs out first, in groups", async () => {
	const hours = { unsaid: null, later: 100, soon: 5, over: -30, fresh: 72, over2: -3 };
	show({}, { invitations: Object.entries(hours).map(([id, left]) => invitation(id, left)) });
	const table = await screen.findByRole("table", { name: "Invitations to collaborations" });
	const rows = within(table).getAllByRole("row").slice(1);
	expect(rows.map((row) => row.textContent?.replace(/https:\/\/(\w+)\.example.*/, "$1"))).toEqual([
		"Expired 2",
		"over",
		"over2",
		"Less than 24 hours left 1",
		"soon",
		"Up to 72 hours left 1",
		"fresh",
		"Later 1",
		"later",
		"Expiration not reported 1",
		"unsaid",
	]);
	expect(within(table).getByText("30 h ago")).toBeVisible();
	expect(within(table).getByText("in 72 h")).toBeVisible();
	expect(within(table).getAllByText("Not accepted")).toHaveLength(6);
	expect(await axeFindings()).toEqual([]);
});

it("does not offer an invitation that only another portal can refresh, and says so", async () => {
	const theirs = { ...invitation("theirs", 5), hostedElsewhere: "Rivers County" };
	const { user } = show({}, { invitations: [invitation("ours", 4), theirs] });
	const box = await screen.findByRole("checkbox", { name: "https://theirs.example.org/portal to Regional" });
	expect(box).toBeDisabled();
	expect(box).toHaveAccessibleDescription(/^Only administrators of Rivers County/);
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByText("https://theirs.example.org/portal"));
	expect(box).not.toBeChecked();
	await pickAll(user);
	expect(screen.getByRole("checkbox", { name: "https://ours.example.org/portal to Regional" })).toBeChecked();
	expect(box).not.toBeChecked();
	expect(screen.getByText("1 invitation selected")).toBeVisible();
});

it("refreshes several into one folder and says where each file is", async () => {
	const { user } = show();
	await pickAll(user);
	expect(screen.getByText("3 invitations selected")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await refresh(user, "Refresh 3 invitations");
	expect(await screen.findByText("Refreshed 3 of 3 invitations on City GIS")).toBeVisible();
	expect(screen.getByText("/home/sam/Invitations")).toBeVisible();
	expect(screen.getByText("inv-museum.invite")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Save results as CSV" }));
	expect(await screen.findByText(/\/City GIS refreshed invitations [-\d ]+\.csv$/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Back to the invitations" }));
	expect(await screen.findByRole("button", { name: "Refresh invitation" })).toBeDisabled();
});

it("sends nothing when the folder dialog is closed, and keeps what was picked", async () => {
	const { user, backend } = show({ chosenFolder: null });
	await pickAll(user);
	await refresh(user, "Refresh 3 invitations");
	expect(await screen.findByText(/because the dialog was closed/)).toBeVisible();
	expect(screen.getByRole("button", { name: "Refresh 3 invitations" })).toBeEnabled();
	expect(await pastOf(backend)).toEqual([]);
});

it("refreshes again only what was certainly not refreshed", async () => {
	const message = "Only the host may do that.";
	const ends = [
		null,
		{ kind: "rejected", problem: { kind: "rejected", code: 403, message, details: [] } },
		{ kind: "unknown", record: "r", problem: null },
	];
	const { user } = show({}, { severalEnds: ends });
	await pickAll(user);
	await refresh(user, "Refresh 3 invitations");
	expect(await screen.findByText("Refreshed 1 of 3 invitations on City GIS")).toBeVisible();
	expect(screen.getByText(/^The outcome for one invitation is unknown/)).toBeVisible();
	expect(screen.getByText(message)).toBeVisible();
	expect(screen.getByRole("button", { name: "Refresh the other invitation" })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("reads the invitations again before the others are refreshed, and names those that are gone", async () => {
	const { site, world } = signedInSite();
	const open = fakeBackend({ world: { ...world, severalEnds: [{ kind: "notSent" }] } });
	let areGone = false;
	const backend: Backend = {
		...open,
		listInvitations: async (of) => (await open.listInvitations(of)).slice(areGone ? 1 : 0),
	};
	const { user } = renderWith(<RefreshInvitation site={site} />, backend);
	await pickAll(user);
	await refresh(user, "Refresh 3 invitations");
	const rest = await screen.findByRole("button", { name: /^Refresh the other / });
	areGone = true;
	await user.click(rest);
	expect(await screen.findByText("1 selected invitation is no longer there")).toBeVisible();
	expect(screen.queryByRole("dialog")).toBeNull();
	areGone = false;
	await user.click(rest);
	expect(await screen.findByRole("dialog")).toBeVisible();
	expect(screen.queryByText("1 selected invitation is no longer there")).toBeNull();
});

it("says that not every outcome of several could be written to the history", async () => {
	const { user, unmount } = show();
	await pickAll(user);
	await refresh(user, "Refresh 3 invitations");
	expect(await screen.findByText("Refreshed 3 of 3 invitations on City GIS")).toBeVisible();
	expect(screen.queryByText("Not recorded in the history")).toBeNull();
	unmount();

	const { user: again } = show({}, { severalEnds: [null, { kind: "unknown", record: null, problem: null }] });
	await pickAll(again);
	await refresh(again, "Refresh 3 invitations");
	expect(await screen.findByRole("status", { name: "Not recorded in the history" })).toHaveTextContent(
		/^Not recorded in the historyNot every outcome could be written/,
	);
});

it("keeps in hand what a folder refused, and says so", async () => {
	const saving = {
		kind: "failed",
		problem: { kind: "file", path: "/full/a.invite", message: "disk full", kept: null, full: null },
	};
	const report = { fileName: "a.invite", expiration: Date.now() + 72 * hour, isExtended: true, kept: "k", saving };
	const kept = [{ site: "city", kept: "k", fileName: "a.invite", refreshedAt: Date.now(), expired: false }];
	const ends = [{ kind: "done", record: "r", outcome: "warnings", report }, { kind: "notSent" }, { kind: "notSent" }];
	const { user } = show({}, { severalEnds: ends, keptInvitations: kept });
	await pickAll(user);
	await refresh(user, "Refresh 3 invitations");
	expect(await screen.findByText(/^A file could not be saved in the folder/)).toBeVisible();
	expect(screen.getByText("not saved yet")).toBeVisible();
	expect(screen.getByRole("button", { name: "Save a.invite" })).toBeVisible();
	expect(screen.getByRole("button", { name: "Refresh the other 2 invitations" })).toBeVisible();
});

it("warns when the last of them is refreshed and not saved", async () => {
	const saving = {
		kind: "failed",
		problem: { kind: "file", path: "/full/a.invite", message: "disk full", kept: null, full: null },
	};
	const report = { fileName: "a.invite", expiration: Date.now() + 72 * hour, isExtended: true, kept: "k", saving };
	const { user } = show({}, { severalEnds: [null, null, { kind: "done", record: "r", outcome: "warnings", report }] });
	await pickAll(user);
	await refresh(user, "Refresh 3 invitations");
	expect(await screen.findByText("Refreshed 3 of 3 invitations on City GIS")).toBeVisible();
	expect(screen.getAllByText("Completed with warnings"), "the headline and the row").toHaveLength(2);
});

it("names those that a portal did not extend although it confirmed their refresh", async () => {
	const saving = { kind: "saved", file: { path: "/desk/a.invite", size: 1, sha256: "0" } };
	const report = { fileName: "a.invite", expiration: Date.now() + 5 * hour, isExtended: false, kept: "k", saving };
	const { user } = show({}, { severalEnds: [null, { kind: "done", record: "r", outcome: "warnings", report }, null] });
	await pickAll(user);
	await refresh(user, "Refresh 3 invitations");
	expect(await screen.findByText(/^1 invitation does not end later than before/)).toBeVisible();
	expect(screen.getAllByText("Completed with warnings"), "the headline and the row").toHaveLength(2);
	expect(screen.queryByText(/^Reminders start/)).toBeNull();
});

it("finds invitations by any of their words, in pages where there are many", async () => {
	const many = Array.from({ length: 120 }, (_, at) => invitation(`guest${at}`, at + 1));
	const { user } = show({}, { invitations: many });
	expect(await screen.findAllByLabelText(/ to Regional$/)).toHaveLength(50);
	await user.click(screen.getByLabelText("Search portals and collaborations"));
	await user.paste("guest117");
	expect(screen.getAllByLabelText(/ to Regional$/)).toHaveLength(1);
	await user.paste("x");
	expect(screen.getByText("No invitation matches “guest117x”.")).toBeVisible();
});

it("says why there is nothing to pick, and takes identifiers instead", async () => {
	const { user } = show({}, { invitations: [] });
	expect(await screen.findByText("No invitations")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Enter IDs instead" }));
	await user.click(screen.getByRole("button", { name: "Refresh invitation" }));
	expect(await screen.findAllByText("Enter a value.")).toHaveLength(2);
	expect(await axeFindings()).toEqual([]);
});

it("refreshes by identifier where the portal does not list", async () => {
	const refused = { kind: "rejected" as const, code: 403, message: "Listing is not allowed.", details: [] };
	const { user } = show({ fail: { listInvitations: refused } });
	expect(await screen.findByText("Listing is not allowed.")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Enter IDs instead" }));
	await fill(user, screen.getByLabelText("Collaboration ID"), "c-regional");
	await fill(user, screen.getByLabelText("Invitation ID"), " inv-museum ");
	await refresh(user, "Refresh invitation");
	expect(await screen.findByText(/^The invitation is valid until/)).toBeVisible();
	expect(screen.getByText(/^Reminders start on the last day: /)).toBeVisible();
});

it("fills in by identifier what was sent last, and keeps it while the list is looked at", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	await backend.refreshInvitation(site.id, newRun("before"), {
		collaborationId: "c-regional",
		invitationId: "inv-museum",
	});
	const { user } = renderWith(<RefreshInvitation site={site} />, backend);
	await user.click(screen.getByRole("tab", { name: "By ID" }));
	await user.click(await screen.findByRole("button", { name: /^Use values sent earlier/ }));
	expect(screen.getByLabelText("Collaboration ID")).toHaveValue("c-regional");
	expect(screen.getByLabelText("Invitation ID")).toHaveValue("inv-museum");
	await user.type(screen.getByLabelText("Invitation ID"), "-2");
	await user.click(screen.getByRole("tab", { name: "From the list" }));
	await user.click(screen.getByRole("tab", { name: "By ID" }));
	expect(screen.getByLabelText("Invitation ID")).toHaveValue("inv-museum-2");
});

it("can be read again while it is empty, and says when that fails", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world: { ...world, invitations: [] } });
	const listInvitations = vi.spyOn(backend, "listInvitations");
	const { user } = renderWith(<RefreshInvitation site={site} />, backend);
	const refresh = await screen.findByRole("button", { name: "Reload" });
	listInvitations.mockRejectedValue({ kind: "rejected", code: 500, message: "Busy.", details: [] });
	await user.click(refresh);
	expect(await screen.findByText("Busy.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	listInvitations.mockResolvedValue([invitation("late", 5)]);
	await user.click(screen.getByRole("button", { name: "Reload" }));
	expect(await screen.findByRole("table", { name: "Invitations to collaborations" })).toBeVisible();
	expect(screen.queryByText("Busy.")).toBeNull();
});

it("shows an invitation that cannot be read, which cannot be selected, and the others", async () => {
	const unreadable = { ...invitation("", 5), guestPortalUrl: "https://long.example.org/portal" };
	const { user } = show({}, { invitations: [unreadable, unreadable, invitation("soon", 6)] });
	await pickAll(user);
	const boxes = screen.getAllByRole("checkbox", { name: /long.example.org/ });
	expect(boxes).toHaveLength(2);
	for (const box of boxes) {
		expect(box).toBeDisabled();
		expect(box).not.toBeChecked();
		expect(box).toHaveAccessibleDescription(/cannot be read/);
	}
	expect(screen.getByRole("checkbox", { name: /soon.example.org/ })).toBeChecked();
	expect(await axeFindings()).toEqual([]);
});
