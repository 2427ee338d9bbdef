import { Notifications } from "@mantine/notifications";
import { act, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ContactsFile, ContactsFileError, ContactsFileRow, RowVerdict } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { seed } from "@/bridge/fake-backend/seed";
import { pastOf } from "@/test/past";
import { axeFindings, confirmStop, renderWith, signedInSite } from "@/test/render";
import { UpdateParticipant } from "./form";

async function show(options: Parameters<typeof fakeBackend>[0] = {}, world = {}) {
	const { site, world: usual } = signedInSite();
	const view = renderWith(<UpdateParticipant site={site} />, { world: { ...usual, ...world }, ...options });
	await view.user.click(screen.getByRole("tab", { name: "Contacts file (CSV)" }));
	return view;
}

type User = Awaited<ReturnType<typeof show>>["user"];

const choose = (user: User) => user.click(screen.getByRole("button", { name: "Choose a contacts file" }));

async function send(user: User, name = "Update 2 contacts") {
	await user.click(await screen.findByRole("button", { name }));
	await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name }));
}

function sheetOf(verdicts: RowVerdict[], more: Partial<ContactsFile> = {}): ContactsFile {
	const rows = verdicts.map((verdict, at): ContactsFileRow => {
		const contact = { contactFirstname: "Kim", contactLastname: "Ito", contactEmailAddress: "kim@example.org" };
		const found = verdict.kind === "changes" || verdict.kind === "same";
		const participant = found ? (seed().participants[at % 3] ?? null) : null;
		return { line: at + 2, named: `Portal ${at}`, participant, contact, verdict };
	});
	return { file: "contacts.csv", encoding: "utf8", ignored: [], rows, ...more };
}

const read = (sheet: ContactsFile) => ({ sheet: { kind: "read" as const, sheet } });

it("shows every difference before anything is sent, then what came of each contact", async () => {
	const { user, backend } = await show();
	expect(await axeFindings()).toEqual([]);
	await choose(user);
	const table = await screen.findByRole("table", { name: "Rows of the contacts file" });
	expect(within(table).getAllByRole("row")[1]).toHaveTextContent(/County portal.*First name.*Ines.*Kim/);
	expect(within(table).getByText("The portal already has this contact.")).toBeVisible();
	expect(within(table).getByText(/^No participant matches/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	expect(await pastOf(backend)).toEqual([]);

	await send(user);
	expect(await screen.findByText("Updated 2 of 2 contacts on City GIS")).toBeVisible();
	expect(screen.getAllByText("Succeeded").length).toBe(3);
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Save results as CSV" }));
	expect(await screen.findByText(/\/City GIS contact changes [-\d ]+\.csv$/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Back to the participants" }));
	// The comparison was with earlier contacts of the portal, so the file must be chosen again.
	expect(await screen.findByRole("button", { name: "Choose a contacts file" })).toBeVisible();
});

it("shows what came of the last sheet again after the page was loaded anew", async () => {
	const refused = { kind: "rejected" as const, code: 403, message: "Not your collaboration", details: [] };
	const severalEnds = [{ kind: "rejected" as const, problem: refused }];
	const { user, backend, unmount } = await show({}, { severalEnds });
	await choose(user);
	await send(user);
	await screen.findByText("Updated 1 of 2 contacts on City GIS");
	unmount();

	const again = renderWith(<UpdateParticipant site={signedInSite().site} />, backend);
	await again.user.click(screen.getByRole("tab", { name: "Contacts file (CSV)" }));
	expect(await screen.findByText("Updated 1 of 2 contacts on City GIS")).toBeVisible();
	const rows = within(screen.getByRole("table", { name: /^Outcome of each/ })).getAllByRole("row");
	expect(rows[1]).toHaveTextContent(/County portal.*Not your collaboration/);
	expect(screen.getByRole("button", { name: "Choose a contacts file" })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("says of every row that is not sent why, and shows the marked ones alone", async () => {
	const kinds: RowVerdict[] = [
		{ kind: "changes" },
		{ kind: "same" },
		{ kind: "unmatched" },
		{ kind: "ambiguous" },
		{ kind: "nameless" },
		{ kind: "repeated", lines: [7, 12] },
		{ kind: "hostedElsewhere", portal: "County portal" },
		{ kind: "tooManyCells" },
		{ kind: "faulty", field: "contactEmailAddress", fault: "notAnEmail" },
		{ kind: "faulty", field: "contactFirstname", fault: "formula" },
	];
	const { user } = await show({}, read(sheetOf(kinds)));
	await choose(user);
	expect(await screen.findByText("Lines 7 and 12 identify the same participant. Keep one of them.")).toBeVisible();
	expect(screen.getByText("Email address: Enter a valid email address.")).toBeVisible();
	expect(screen.getByText(/^County portal hosts this collaboration/)).toBeVisible();
	expect(
		screen.getByText(
			"First name: The value cannot start with =, +, - or @, because spreadsheet apps read it as a formula.",
		),
	).toBeVisible();
	await user.click(screen.getByRole("radio", { name: "Cannot be sent (8)" }));
	expect(screen.getAllByRole("row")).toHaveLength(9);
	expect(screen.getByRole("button", { name: "Update 1 contact" })).toBeEnabled();
	expect(await axeFindings()).toEqual([]);
});

it("asks about the addresses of a file whose domain has no dot, before they are sent", async () => {
	const sheet = sheetOf([{ kind: "changes" }, { kind: "changes" }, { kind: "unmatched" }]);
	const { user, unmount } = await show({}, read(sheet));
	await choose(user);
	await user.click(await screen.findByRole("button", { name: "Update 2 contacts" }));
	expect(within(await screen.findByRole("dialog")).queryByText(/has no dot|have no dot/)).toBeNull();
	unmount();

	for (const [addresses, question] of [
		[["ana@example.org", "kim@intranet"], "The domain of kim@intranet has no dot. Is the address correct?"],
		[
			["ana@maps", "kim@intranet"],
			"The domains of 2 addresses have no dot: ana@maps and kim@intranet. Are they correct?",
		],
	] as const) {
		// The last row changes nothing, so its address needs no confirmation.
		const rows = sheet.rows.map((row, at) => {
			return { ...row, contact: { ...row.contact, contactEmailAddress: addresses[at] ?? "sam@elsewhere" } };
		});
		const { user, backend, unmount } = await show({}, read({ ...sheet, rows }));
		await choose(user);
		await user.click(await screen.findByRole("button", { name: "Update 2 contacts" }));
		const dialog = within(await screen.findByRole("dialog"));
		expect(await dialog.findByText(question)).toBeVisible();
		expect(await axeFindings()).toEqual([]);
		expect(await pastOf(backend)).toEqual([]);
		await user.click(dialog.getByRole("button", { name: "Update 2 contacts" }));
		expect(await screen.findByText("Updated 2 of 2 contacts on City GIS")).toBeVisible();
		unmount();
	}
});

it("says when the letters are a guess and which columns mean nothing", async () => {
	const sheet = sheetOf([{ kind: "same" }], { encoding: "windows1252", ignored: ["Notes", "Phone"] });
	const { user } = await show({}, read(sheet));
	await choose(user);
	expect(await screen.findByText("Check the accented letters in this file")).toBeVisible();
	expect(screen.getByText("Ignored columns: Notes and Phone")).toBeVisible();
	expect(screen.getByRole("button", { name: "Update 0 contacts" })).toBeDisabled();
	expect(screen.getByText("No row of this file changes a contact.")).toBeVisible();
});

it("says of every file that is no sheet why, and what to do", async () => {
	const faults: ContactsFileError[] = [
		{ kind: "empty" },
		{ kind: "tooLarge" },
		{ kind: "tooManyRows" },
		{ kind: "workbook" },
		{ kind: "noText" },
		{ kind: "openQuote" },
		{ kind: "noParticipantColumn" },
		{ kind: "noContactColumn" },
		{ kind: "repeatedColumn", column: "E-mail" },
	];
	for (const fault of faults) {
		const { user, unmount } = await show({}, { sheet: { kind: "unusable", file: "a.xlsx", fault } });
		await choose(user);
		const alert = await screen.findByRole("alert", { name: "a.xlsx is not a contacts file" });
		expect(alert.textContent?.length, fault.kind).toBeGreaterThan(60);
		unmount();
	}
});

it("stays where it is when the dialog is closed, and quotes a file that cannot be read", async () => {
	const { user, unmount } = await show({ sheet: null });
	await choose(user);
	expect(await screen.findByRole("button", { name: "Choose a contacts file" })).toBeEnabled();
	unmount();
	const other = await show({
		fail: { readContactsFile: { kind: "file", path: "/tmp/a.csv", message: "denied", kept: null, full: null } },
	});
	await choose(other.user);
	expect(await screen.findByText("/tmp/a.csv")).toBeVisible();
});

it("reads a sheet that is dropped onto the window", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	renderWith(<UpdateParticipant site={site} />, backend);
	await screen.findAllByRole("radio");
	const file = { path: "/home/sam/new.csv", name: "new.csv", kind: "contactsFile" as const };
	act(() => backend.happen.fileDrag({ kind: "dropped", file }));
	expect(await screen.findByText("new.csv: 4 rows")).toBeVisible();
	expect(screen.getByRole("tab", { name: "Contacts file (CSV)" })).toHaveAttribute("aria-selected", "true");
});

const fresh = { path: "/home/sam/new.csv", name: "new.csv", kind: "contactsFile" as const };

/** Opens the page together with the notifications of the window. */
function dropping(options: Parameters<typeof fakeBackend>[0] = {}) {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world, ...options });
	const page = (
		<>
			<Notifications />
			<UpdateParticipant site={site} />
		</>
	);
	return {
		...renderWith(page, backend),
		drop: () => act(() => backend.happen.fileDrag({ kind: "dropped", file: fresh })),
	};
}

it("reads a sheet that is dropped onto a report, and says that the report made room", async () => {
	const { user, drop } = dropping();
	await user.click(screen.getByRole("tab", { name: "Contacts file (CSV)" }));
	await choose(user);
	await send(user);
	await screen.findByText("Updated 2 of 2 contacts on City GIS");
	drop();
	expect(await screen.findByText(/^new\.csv: \d rows$/)).toBeVisible();
	expect(screen.queryByText("Updated 2 of 2 contacts on City GIS")).toBeNull();
	expect(await screen.findByText(/^The form now contains new\.csv\. The previous result was closed/)).toBeVisible();
});

it("reads a sheet that is dropped during a run when the form is back, and keeps the report of the run", async () => {
	const { user, drop } = dropping({ endless: ["updateParticipants"] });
	await user.click(screen.getByRole("tab", { name: "Contacts file (CSV)" }));
	await choose(user);
	await send(user);
	await screen.findByRole("button", { name: "Stop after current request" });
	drop();
	expect(await screen.findByText(/^new\.csv will be entered in the form/)).toBeVisible();
	await confirmStop(user, "Stop after current request");
	await user.click(await screen.findByRole("button", { name: "Back to the participants" }));
	expect(await screen.findByText(/^new\.csv: \d rows$/)).toBeVisible();
	expect(screen.getByRole("tab", { name: "Contacts file (CSV)" })).toHaveAttribute("aria-selected", "true");
});

it("tells what was refused and what was not sent from what is unknown, and sends only the first two again", async () => {
	const message = "Only the host may change a contact.";
	const ends = [
		{ kind: "rejected", problem: { kind: "rejected", code: 403, message, details: [] } },
		{ kind: "unknown", record: "r", problem: { kind: "unreachable", stage: "wait", message: "timed out" } },
	];
	const sheet = sheetOf([{ kind: "changes" }, { kind: "changes" }, { kind: "changes" }]);
	const { user } = await show({}, { ...read(sheet), severalEnds: ends });
	await choose(user);
	await send(user, "Update 3 contacts");
	expect(await screen.findByText("Updated 0 of 3 contacts on City GIS")).toBeVisible();
	expect(screen.getByText(/^The outcome for one contact is unknown/)).toBeVisible();
	const rows = within(screen.getByRole("table", { name: "Outcome of each contact" }))
		.getAllByRole("row")
		.slice(1);
	expect(rows.map((row) => row.textContent)).toEqual([
		expect.stringContaining("Unknown"),
		expect.stringContaining(message),
		expect.stringContaining("Not sent"),
	]);
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Update the other 2 contacts" }));
	expect(await screen.findByRole("dialog")).toHaveAccessibleName("Update 2 contacts on City GIS?");
});

it("says that not every outcome of several could be written to the history", async () => {
	const sheet = sheetOf([{ kind: "changes" }, { kind: "changes" }]);
	for (const [record, missed] of [
		["r", 0],
		[null, 1],
	] as const) {
		const ends = [null, { kind: "unknown" as const, record, problem: null }];
		const { user, unmount } = await show({}, { ...read(sheet), severalEnds: ends });
		await choose(user);
		await send(user, "Update 2 contacts");
		expect(await screen.findByText("Updated 1 of 2 contacts on City GIS")).toBeVisible();
		expect(screen.queryAllByText("Not recorded in the history")).toHaveLength(missed);
		unmount();
	}
});

it("can be stopped between two contacts", async () => {
	const { user } = await show({ endless: ["updateParticipants"] });
	await choose(user);
	await send(user);
	expect(await screen.findByText("0 of 2 completed")).toBeVisible();
	expect(screen.getByRole("progressbar", { name: "Progress" })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await confirmStop(user, "Stop after current request");
	expect(await screen.findByText(/You stopped waiting|Stopping after the current request/)).toBeVisible();
});

it("saves a sheet with the present contacts", async () => {
	const { user } = await show();
	await user.click(screen.getByRole("button", { name: "Save a file with the current contacts" }));
	expect(await screen.findByText("/home/sam/Documents/Contacts of City GIS.csv")).toBeVisible();
});

it("shows five thousand rows in pages", async () => {
	const verdicts = Array.from({ length: 5_000 }, (): RowVerdict => ({ kind: "unmatched" }));
	const { user } = await show({}, read(sheetOf(verdicts)));
	await choose(user);
	expect(await screen.findByText("contacts.csv: 5,000 rows")).toBeVisible();
	expect(screen.getAllByRole("row")).toHaveLength(51);
});

it("reads the contacts of the portal again before it asks, and names those that were changed meanwhile", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	let isChanged = false;
	const list: typeof backend.listParticipants = async (id) => {
		const [first, ...others] = await backend.listParticipants(id);
		return first && isChanged ? [{ ...first, contactLastname: "Another" }, ...others] : first ? [first, ...others] : [];
	};
	const { user } = renderWith(<UpdateParticipant site={site} />, { ...backend, listParticipants: list });
	await user.click(screen.getByRole("tab", { name: "Contacts file (CSV)" }));
	await choose(user);
	isChanged = true;
	await user.click(await screen.findByRole("button", { name: "Update 2 contacts" }));
	expect(await screen.findByText("1 contact on the portal was changed since the file was read")).toBeVisible();
	expect(screen.getByText(/^For example, the contact of County portal\./)).toBeVisible();
	expect(screen.queryByRole("dialog")).toBeNull();
	expect(await axeFindings()).toEqual([]);
	expect(await pastOf(backend)).toEqual([]);
});

it("reads the contacts again before the others are updated, and names those that were changed meanwhile", async () => {
	const { site, world } = signedInSite();
	const open = fakeBackend({ world: { ...world, severalEnds: [{ kind: "notSent" }, { kind: "notSent" }] } });
	let isChanged = false;
	const list: typeof open.listParticipants = async (id) => {
		const [first, ...others] = await open.listParticipants(id);
		return first && isChanged ? [{ ...first, contactLastname: "Another" }, ...others] : first ? [first, ...others] : [];
	};
	const { user } = renderWith(<UpdateParticipant site={site} />, { ...open, listParticipants: list });
	await user.click(screen.getByRole("tab", { name: "Contacts file (CSV)" }));
	await choose(user);
	await send(user, "Update 2 contacts");
	isChanged = true;
	const rest = await screen.findByRole("button", { name: "Update the other 2 contacts" });
	await user.click(rest);
	expect(await screen.findByText("1 contact on the portal was changed since the file was read")).toBeVisible();
	expect(screen.queryByRole("dialog")).toBeNull();
	isChanged = false;
	await user.click(rest);
	expect(await screen.findByRole("dialog")).toHaveAccessibleName("Update 2 contacts on City GIS?");
});
