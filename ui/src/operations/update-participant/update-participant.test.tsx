import { screen, waitFor, within } from "@testing-library/react";
import { useEffect } from "react";
import { expect, it, vi } from "vitest";
import { newRun, type ParticipantView, type UpdateReport } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { useNavigation } from "@/lib/navigation";
import { Leaving } from "@/test/leaving";
import { pastOf } from "@/test/past";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { contactOf } from "./difference";
import { UpdateParticipant } from "./form";

function show(options: Parameters<typeof renderWith>[1] = {}, world = {}) {
	const { site, world: usual } = signedInSite();
	return renderWith(<UpdateParticipant site={site} />, { world: { ...usual, ...world }, ...options });
}

type User = ReturnType<typeof show>["user"];

async function pickFirst(user: User) {
	const [first] = await screen.findAllByRole("radio");
	if (!first) throw new Error("no participants");
	await user.click(first);
}

async function retype(user: User, field: string, text: string) {
	await user.clear(screen.getByLabelText(field));
	await user.type(screen.getByLabelText(field), text);
}

const submit = () => screen.getByRole("button", { name: /^Update contact of / });

async function confirm(user: User) {
	const dialog = await screen.findByRole("dialog");
	await user.click(within(dialog).getByRole("button", { name: "Update contact" }));
}

function many(count: number): ParticipantView[] {
	return Array.from({ length: count }, (_, at) => ({
		collaborationId: "c",
		collaborationName: "Regional",
		participantId: `p${at}`,
		portalName: `Portal ${String(at).padStart(4, "0")}`,
		portalUrl: `https://p${at}.example.org/portal`,
		role: "Guest",
		status: "active",
		contactFirstname: "Ana",
		contactLastname: "Ito",
		contactEmailAddress: `ana${at}@example.org`,
		hostedElsewhere: null,
		gap: null,
	}));
}

it("names a collaboration whose participants the portal did not return, and how many of a list are missing", async () => {
	const refused = { kind: "notListed" as const, reason: "You do not have permissions." };
	const cut = { kind: "cut" as const, listed: 2, total: 40 };
	const [one, other, third] = many(3);
	if (!one || !other || !third) throw new Error("no participants");
	show({
		world: {
			...signedInSite().world,
			participants: [
				one,
				{ ...other, participantId: "", gap: cut },
				{ ...third, participantId: "", collaborationId: "d", collaborationName: "Map", gap: refused },
			],
		},
	});
	expect(await screen.findByText("The site returned 2 of 40 entries.")).toBeVisible();
	expect(screen.getByText("Map was not returned by the site: You do not have permissions.")).toBeVisible();
	expect(screen.getAllByRole("radio")).toHaveLength(1);
	expect(await axeFindings()).toEqual([]);
});

it("says under its field that a value is a mask of the portal, and what to do", async () => {
	const problem = { kind: "form" as const, field: "contactFirstname", fault: "masked" as const };
	const participants = many(1).map((one) => ({ ...one, contactFirstname: "****" }));
	const { user } = show({ fail: { updateParticipant: problem } }, { participants });
	await pickFirst(user);
	await retype(user, "Last name", "Brook");
	await user.click(submit());
	await confirm(user);
	const field = await screen.findByLabelText("First name");
	await waitFor(() =>
		expect(field).toHaveAccessibleDescription(/returned a mask in place of this value.*Enter the value/),
	);
	expect(field).toHaveAttribute("aria-invalid", "true");
	expect(await axeFindings()).toEqual([]);
});

it("sends a corrected contact after the difference was confirmed", async () => {
	const { user } = show();
	await pickFirst(user);
	expect(submit()).toBeDisabled();
	await retype(user, "First name", "Kim");
	expect(await axeFindings()).toEqual([]);
	await user.click(submit());
	const dialog = await screen.findByRole("dialog");
	expect(dialog).toHaveAccessibleName("Update the contact of County portal in Regional base data?");
	const rows = within(within(dialog).getByRole("table", { name: "Changes" })).getAllByRole("row");
	expect(rows.map((row) => row.textContent)).toEqual(["FieldCurrentNew", "First nameInesKim"]);
	expect(await axeFindings()).toEqual([]);
	await confirm(user);
	expect(await screen.findByText("Updated the contact of County portal in Regional base data")).toBeVisible();
	expect(screen.getByText("First name").parentElement).toHaveTextContent("First nameInesKim");
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Back to the participants" }));
	expect(await screen.findByText(/^Kim /)).toBeVisible();
});

it.each<[title: RegExp, report: Partial<UpdateReport>, line: RegExp]>([
	[
		/^Completed with warnings The portal confirmed the update of County portal .*, but shows another contact$/,
		{ shown: { kind: "other", firstname: "Ines", lastname: "Lake", email: "ines@example.org" } },
		/^The portal shows: Ines Lake\s· ines@example\.org$/,
	],
	[
		/^Succeeded Updated the contact of County portal/,
		{ shown: { kind: "notRead" } },
		/it is not checked whether the portal shows it/,
	],
	[
		/^Completed with warnings Updated the contact of County portal .* with warnings$/,
		{ warnings: ["skippedFields: contactLastname"] },
		/^skippedFields: contactLastname$/,
	],
])("says what the portal shows after it confirmed an update: %s", async (title, report, line) => {
	const { world } = signedInSite();
	const backend = fakeBackend({ world });
	const confirmed = backend.updateParticipant;
	backend.updateParticipant = async (...form) => {
		const ended = await confirmed(...form);
		return ended.kind === "done" ? { ...ended, report: { ...ended.report, ...report } } : ended;
	};
	const { user } = renderWith(<UpdateParticipant site={signedInSite().site} />, backend);
	await pickFirst(user);
	await retype(user, "First name", "Kim");
	await user.click(submit());
	await confirm(user);
	expect(await screen.findByRole("status", { name: title })).toBeVisible();
	expect(screen.getByText(line)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("fills in a contact that the history brings along at the participant that the portal lists", async () => {
	const { site, world } = signedInSite();
	const [participant] = many(2);
	if (!participant) throw new Error("no participant");
	const sent = { ...contactOf(participant), contactFirstname: "Kim" };
	const { collaborationId, participantId } = participant;
	const parameters = Object.entries({ collaborationId, participantId, ...sent }).map(([name, value]) => ({
		name,
		value,
	}));
	function Restoring() {
		const { go } = useNavigation();
		useEffect(
			() =>
				go({ page: "operation", site: site.id, server: null, key: "update_participant" }, { parameters, sentAt: null }),
			[go],
		);
		return <UpdateParticipant site={site} />;
	}
	const { user } = renderWith(<Restoring />, { world: { ...world, participants: many(2) } });

	await waitFor(() => expect(screen.getByLabelText("First name")).toHaveValue("Kim"));
	await user.click(submit());

	expect(await screen.findByRole("dialog")).toHaveAccessibleName("Update the contact of Portal 0000 in Regional?");
});

it("sends nothing when the question is closed, and the focus comes back", async () => {
	const { user, backend } = show();
	await pickFirst(user);
	await retype(user, "First name", "Kim");
	await user.click(submit());
	await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));
	await waitFor(() => expect(submit()).toHaveFocus());
	expect(await pastOf(backend)).toEqual([]);
});

it("puts a wrong address and an empty name under their fields before it asks", async () => {
	const { user } = show();
	await pickFirst(user);
	await retype(user, "Email address", "nobody");
	await user.clear(screen.getByLabelText("Last name"));
	await user.click(submit());
	expect(await screen.findByText("Enter a valid email address.")).toBeVisible();
	expect(screen.getByText("Enter a value.")).toBeVisible();
	expect(screen.getByLabelText("Last name")).toHaveFocus();
	expect(screen.queryByRole("dialog")).toBeNull();
});

it("asks about an address whose domain has no dot, before it is sent", async () => {
	const { user } = show();
	await pickFirst(user);
	await retype(user, "First name", "Kim");
	await user.click(submit());
	expect(within(await screen.findByRole("dialog")).queryByText(/has no dot/)).toBeNull();
	await user.click(screen.getByRole("button", { name: "Cancel" }));
	await retype(user, "Email address", "kim@intranet");
	await user.click(submit());
	const dialog = within(await screen.findByRole("dialog"));
	expect(await dialog.findByText("The domain of kim@intranet has no dot. Is the address correct?")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await confirm(user);
	expect(await screen.findByText("Updated the contact of County portal in Regional base data")).toBeVisible();
});

it("quotes the portal when it refuses, and keeps what was typed", async () => {
	const message = "Only the host may change a contact.";
	const { user } = show({ fail: { updateParticipant: { kind: "rejected", code: 403, message, details: [] } } });
	await pickFirst(user);
	await user.type(screen.getByLabelText("Last name"), "x");
	await user.click(submit());
	await confirm(user);
	expect(await screen.findByText(message)).toBeVisible();
	expect(screen.getByLabelText("Last name")).toHaveValue("Aguilarx");
});

it("keeps what was typed when the refused participant is no longer listed", async () => {
	const gone = { kind: "rejected" as const, code: 404, message: "It was not found.", details: [] };
	const participants = many(1);
	const { user } = show({ fail: { updateParticipant: gone } }, { participants });
	await pickFirst(user);
	await user.type(screen.getByLabelText("Last name"), "x");
	participants.pop();
	await user.click(submit());
	await confirm(user);
	expect(await screen.findByText(/^The portal no longer lists this participant/)).toBeVisible();
	expect(screen.getByLabelText("Last name")).toHaveValue("Itox");
});

it("groups the participants by collaboration and says who is host", async () => {
	show();
	const table = await screen.findByRole("table", { name: "Participants of collaborations" });
	const heads = within(table)
		.getAllByRole("columnheader")
		.filter((head) => head.getAttribute("scope") === "colgroup");
	const groups = heads.length ? heads : within(table).getAllByText(/^(Regional base data|Water authority exchange)$/);
	expect(groups.map((group) => group.textContent)).toEqual([
		expect.stringContaining("Regional base data hosted by County portal"),
		"Water authority exchange",
	]);
});

it("greys the participants of a collaboration that another portal hosts, and says why", async () => {
	const [own, other] = many(2);
	if (!own || !other) throw new Error("no participants");
	const elsewhere = {
		...other,
		collaborationId: "d",
		collaborationName: "County map",
		hostedElsewhere: "County portal",
	};
	const { user } = show({}, { participants: [own, elsewhere] });
	const theirs = await screen.findByRole("radio", { name: "Portal 0001 in County map" });
	expect(theirs).toBeDisabled();
	expect(theirs).toHaveAccessibleDescription(
		"County portal hosts this collaboration. Only administrators of that portal can update a contact.",
	);
	await user.click(screen.getByText("Portal 0001"));
	expect(screen.getByText("Select a participant to update its contact person.")).toBeVisible();
	expect(screen.getByRole("radio", { name: "Portal 0000 in Regional" })).toBeEnabled();
	expect(await axeFindings()).toEqual([]);
});

it("finds participants by any of their words, and says when there is none", async () => {
	const { user } = show();
	await fill(user, await screen.findByLabelText("Search portals, collaborations, and contacts"), "nair water");
	expect(screen.getAllByRole("radio")).toHaveLength(1);
	await user.type(screen.getByLabelText("Search portals, collaborations, and contacts"), " nobody");
	expect(screen.getByText("No participant matches “nair water nobody”.")).toBeVisible();
});

it("sorts within a collaboration, and shows a long list in pages", async () => {
	const { user } = show({}, { participants: many(120) });
	const names = () => screen.getAllByLabelText(/ in Regional$/).map((radio) => radio.getAttribute("aria-label"));
	await screen.findAllByLabelText(/ in Regional$/);
	expect(names()).toHaveLength(50);
	await user.click(screen.getByRole("button", { name: "Portal" }));
	await user.click(screen.getByRole("button", { name: "Portal" }));
	expect(screen.getByRole("columnheader", { name: "Portal" })).toHaveAttribute("aria-sort", "descending");
	expect(names()[0]).toBe("Portal 0119 in Regional");
	await user.click(screen.getByRole("button", { name: "Page 3" }));
	expect(names()).toHaveLength(20);
	expect(screen.getByText("101 to 120 of 120")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("says why there is nothing to pick, and takes identifiers instead", async () => {
	const { user, backend } = show({}, { participants: many(0) });
	expect(await screen.findByText("No participants")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Enter IDs instead" }));
	await user.click(screen.getByRole("button", { name: "Update contact" }));
	expect(await screen.findAllByText("Enter a value.")).toHaveLength(5);
	expect(await axeFindings()).toEqual([]);
	await fill(user, screen.getByLabelText("Collaboration ID"), "c-regional");
	await fill(user, screen.getByLabelText(/^Participant ID/), "harbour");
	await user.type(screen.getByLabelText("First name"), "Kim");
	await user.type(screen.getByLabelText("Last name"), "Lind");
	await fill(user, screen.getByLabelText("Email address"), "kim@example.org");
	await user.click(screen.getByRole("button", { name: "Update contact" }));
	expect(await screen.findByText(/^The current contact on City GIS is unknown/)).toBeVisible();
	await confirm(user);
	// The default fixture has no participants.
	expect(await screen.findByText("The participant harbour was not found.")).toBeVisible();
	expect(await pastOf(backend)).toMatchObject([{ operation: "update_participant", outcome: "failed" }]);
});

it("offers another try and the identifiers where the portal does not list", async () => {
	const message = "Listing is not allowed.";
	const { user } = show({ fail: { listParticipants: { kind: "rejected", code: 403, message, details: [] } } });
	expect(await screen.findByText(message)).toBeVisible();
	expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Enter IDs instead" }));
	expect(screen.getByLabelText("Collaboration ID")).toBeVisible();
});

it("shows names from a server as text and never as markup", async () => {
	const hostile = '<img src=x onerror="alert(1)">';
	const one = {
		...many(1)[0],
		portalName: hostile,
		collaborationName: hostile,
		contactFirstname: hostile,
		role: hostile,
	};
	const { container, user } = show({}, { participants: [one] });
	await pickFirst(user);
	expect(container.querySelector("img")).toBeNull();
	expect(screen.getByText(`Contact person of ${hostile}`)).toBeVisible();
});

it("fills in by identifier what was sent last, and keeps it while the list is looked at", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const [one] = await backend.listParticipants(site.id);
	const contact = { contactFirstname: "Kim", contactLastname: "Lind", contactEmailAddress: "kim@example.org" };
	const { collaborationId = "", participantId = "" } = one ?? {};
	await backend.updateParticipant(site.id, newRun("before"), { collaborationId, participantId, ...contact });
	const { user } = renderWith(<UpdateParticipant site={site} />, backend);
	await user.click(screen.getByRole("tab", { name: "By ID" }));
	await user.click(await screen.findByRole("button", { name: /^Use values sent earlier/ }));
	const filled = { "Collaboration ID": collaborationId, "First name": "Kim", "Email address": "kim@example.org" };
	for (const [field, value] of Object.entries(filled)) expect(screen.getByLabelText(field)).toHaveValue(value);
	expect(screen.getByLabelText(/^Participant ID/)).toHaveValue(participantId);
	await retype(user, "Last name", "Berg");
	await user.click(screen.getByRole("tab", { name: "From the list" }));
	await user.click(screen.getByRole("tab", { name: "By ID" }));
	expect(screen.getByLabelText("Last name")).toHaveValue("Berg");
	expect(screen.getByLabelText("First name")).toHaveValue("Kim");
});

/** Updates a contact by ID and confirms it. */
async function sendByIdentifier(user: User) {
	await user.click(screen.getByRole("tab", { name: "By ID" }));
	await fill(user, screen.getByLabelText("Collaboration ID"), "c-regional");
	await fill(user, screen.getByLabelText(/^Participant ID/), "harbor");
	await fill(user, screen.getByLabelText("First name"), "Kim");
	await fill(user, screen.getByLabelText("Last name"), "Lind");
	await fill(user, screen.getByLabelText("Email address"), "kim@example.org");
	await user.click(screen.getByRole("button", { name: "Update contact" }));
	await confirm(user);
}

/** Portal where each run is stopped before its request is sent. */
function stopping() {
	const { site, world } = signedInSite();
	const backend = {
		...fakeBackend({ world }),
		updateParticipant: async () => ({ kind: "notSent" as const, record: null, backup: null }),
	};
	return renderWith(<UpdateParticipant site={site} />, backend);
}

it("keeps by identifier what was corrected after a refusal while the list is looked at", async () => {
	const message = "Only the host may change a contact.";
	const { user } = show({ fail: { updateParticipant: { kind: "rejected", code: 403, message, details: [] } } });
	await sendByIdentifier(user);
	expect(await screen.findByText(message)).toBeVisible();
	expect(screen.getByLabelText("Last name")).toHaveValue("Lind");
	await retype(user, "Last name", "Berg");
	await user.click(screen.getByRole("tab", { name: "From the list" }));
	await user.click(screen.getByRole("tab", { name: "By ID" }));
	expect(screen.getByLabelText("Last name")).toHaveValue("Berg");
	expect(screen.getByLabelText("First name")).toHaveValue("Kim");
});

it("keeps what was typed by identifier when it is stopped before it is sent", async () => {
	const { user } = stopping();
	await sendByIdentifier(user);
	expect(await screen.findByText(/^Stopped before the request was sent/)).toBeVisible();
	expect(screen.getByLabelText("Last name")).toHaveValue("Lind");
	expect(screen.getByLabelText("Collaboration ID")).toHaveValue("c-regional");
});

it("keeps a corrected contact when it is stopped before it is sent", async () => {
	const { user } = stopping();
	await pickFirst(user);
	await retype(user, "First name", "Kim");
	await user.click(submit());
	await confirm(user);
	expect(await screen.findByText(/^Stopped before the request was sent/)).toBeVisible();
	expect(screen.getByLabelText("First name")).toHaveValue("Kim");
});

it("keeps a contact that is being corrected while another tab is looked at", async () => {
	const { user } = show();
	await pickFirst(user);
	await retype(user, "First name", "Kim");
	await user.click(screen.getByRole("tab", { name: "By ID" }));
	await user.click(screen.getByRole("tab", { name: "From the list" }));
	expect(await screen.findByLabelText("First name")).toHaveValue("Kim");
});

it("can read an empty list again, and says when that fails", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world: { ...world, participants: [] } });
	const listParticipants = vi.spyOn(backend, "listParticipants");
	const { user } = renderWith(<UpdateParticipant site={site} />, backend);
	const refresh = await screen.findByRole("button", { name: "Reload" });
	listParticipants.mockRejectedValue({ kind: "rejected", code: 500, message: "Busy.", details: [] });
	await user.click(refresh);
	expect(await screen.findByText("Busy.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	listParticipants.mockResolvedValue(many(1));
	await user.click(screen.getByRole("button", { name: "Reload" }));
	expect(await screen.findByRole("radio")).toBeVisible();
	expect(screen.queryByText("Busy.")).toBeNull();
});

it("shows a participant that cannot be read, who cannot be selected, and the others", async () => {
	const [own, other] = many(2);
	if (!own || !other) throw new Error("no participants");
	const unreadable = { ...other, participantId: "" };
	const { user } = show({}, { participants: [own, unreadable, unreadable] });
	const theirs = await screen.findAllByRole("radio", { name: "Portal 0001 in Regional" });
	expect(theirs).toHaveLength(2);
	for (const radio of theirs) {
		expect(radio).toBeDisabled();
		expect(radio).toHaveAccessibleDescription(/cannot be read/);
	}
	await user.click(screen.getAllByText("Portal 0001")[0] as HTMLElement);
	expect(screen.getByText("Select a participant to update its contact person.")).toBeVisible();
	await user.click(screen.getByRole("radio", { name: "Portal 0000 in Regional" }));
	expect(screen.getByLabelText("First name")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("keeps the search and who is selected while another page is shown", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(
		<Leaving>
			<UpdateParticipant site={site} />
		</Leaving>,
		{ world },
	);
	await pickFirst(user);
	await fill(user, await screen.findByRole("searchbox"), "portal");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await screen.findByRole("searchbox")).toHaveValue("portal");
	expect(submit()).toBeVisible();
});

it("reads the contact again before it asks, and follows the portal in what was not typed", async () => {
	const { site, world } = signedInSite();
	const [before] = many(1);
	if (!before) throw new Error("no participants");
	const backend = fakeBackend({ world: { ...world, participants: [before] } });
	const { user } = renderWith(<UpdateParticipant site={site} />, backend);
	await pickFirst(user);
	await retype(user, "First name", "Kim");
	vi.spyOn(backend, "listParticipants").mockResolvedValue([{ ...before, contactLastname: "Harbour" }]);
	await user.click(submit());
	await screen.findByRole("dialog");
	expect(screen.getByLabelText("Last name")).toHaveValue("Harbour");
	expect(screen.getByLabelText("First name")).toHaveValue("Kim");
});
