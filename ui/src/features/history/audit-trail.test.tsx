import { fireEvent, screen, within } from "@testing-library/react";
import type { TrailEvent, TrailView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { axeFindings, renderWith } from "@/test/render";
import { AuditTrail } from "./audit-trail";
import { noFilters, searchFor } from "./history-filters";

const search = searchFor(noFilters);
const head = `site-steward history 7f3a seq 4711 sha256 ${"2c".repeat(32)}`;

function trail(change: Partial<TrailView> = {}) {
	const backend = fakeBackend();
	vi.spyOn(backend, "trailStatus").mockResolvedValue({
		head,
		verifiedThrough: 4711,
		breaks: [],
		further: 0,
		rolledBack: [],
		verifying: null,
		...change,
	});
	renderWith(<AuditTrail search={search} />, backend);
	return backend;
}

const menu = () => screen.getByRole("button", { name: "More commands for the audit trail" });

test("beside the state of the audit trail are its verification and one menu, which leave the list its room", async () => {
	trail();
	await screen.findByText(/^Audit trail: verified/);
	expect(screen.getAllByRole("button").map((one) => one.getAttribute("aria-label") ?? one.textContent)).toEqual([
		"Verify audit trail",
		"More commands for the audit trail",
	]);
});

test("what is on the line of the audit trail stays the same when that is read", async () => {
	const backend = fakeBackend();
	let read: (view: TrailView) => void = () => {};
	vi.spyOn(backend, "trailStatus").mockReturnValue(new Promise((resolve) => (read = resolve)));
	renderWith(
		<AuditTrail search={search}>
			<p>6 entries</p>
		</AuditTrail>,
		backend,
	);
	const count = screen.getByText("6 entries");
	read({ head, verifiedThrough: 4711, breaks: [], further: 0, rolledBack: [], verifying: null });
	await screen.findByText(/^Audit trail: verified/);
	expect(screen.getByText("6 entries")).toBe(count);
});

test("the history says up to which event the audit trail was verified, and offers its head", async () => {
	trail();
	await screen.findByText("Audit trail: verified up to event 4,711");
	fireEvent.click(menu());
	fireEvent.click(await screen.findByRole("menuitem", { name: "Copy head" }));
	await screen.findByRole("menuitem", { name: "Copied" });
	expect(await navigator.clipboard.readText()).toBe(head);
	expect(screen.queryByRole("alert")).toBeNull();
});

test("a broken chain is shown with the event at which it does not hold", async () => {
	const chain = (event: number) => ({ what: "chain" as const, first: event, last: event });
	trail({ breaks: [chain(51), chain(1204)] });
	const alert = await screen.findByRole("alert");
	expect(alert.textContent).toContain("51 and 1,204");
});

test("of many broken places, the number of those that are not listed is shown", async () => {
	trail({ breaks: [{ what: "body", first: 51, last: 51 }], further: 299_900 });
	const alert = await screen.findByRole("alert");
	expect(alert.textContent).toContain("299,900 further places are not listed.");
});

test("an entry that was kept elsewhere and is gone from the trail stays shown, with where it was kept", async () => {
	trail({
		rolledBack: [
			{ entry: 106, isForwarded: true },
			{ entry: 98, isForwarded: false },
		],
	});
	const alert = await screen.findByRole("alert", { name: "The audit trail was rolled back" });
	expect(alert).toHaveTextContent(/event 106, which was forwarded to the log server/);
	expect(alert).toHaveTextContent(/event 98, which the daily copy has/);
});

test("missing content, changed history entries, and those without events are counted and named", async () => {
	trail({
		breaks: [
			{ what: "missingBodies", first: 3, last: 3 },
			{ what: "missingBodies", first: 1000, last: 1106 },
			{ what: "record", first: 7, last: 7 },
			{ what: "untold", first: 0, last: 0 },
			{ what: "untold", first: 0, last: 0 },
			{ what: "unreadable", first: 0, last: 0 },
		],
	});
	const alert = await screen.findByRole("alert");
	expect(alert).toHaveTextContent("A part of the history cannot be read.");
	expect(alert).toHaveTextContent("Events without their content (108): 3 and 1,000 to 1,106.");
	expect(alert).toHaveTextContent(
		"These events and the history entries that they recorded differ, because one of the two was changed or removed: 7.",
	);
	expect(alert).toHaveTextContent("2 history entries have no event.");
});

test("a verification shows its result", async () => {
	const backend = trail({ verifiedThrough: 0 });
	await screen.findByText("Audit trail: not yet verified");
	vi.spyOn(backend, "verifyTrail").mockResolvedValue({
		head,
		verifiedThrough: 4712,
		breaks: [],
		further: 0,
		rolledBack: [],
		verifying: null,
	});
	fireEvent.click(screen.getByRole("button", { name: "Verify audit trail" }));
	const now = await screen.findByText(/^Audit trail: verified up to event 4,712, \d/);
	// The status is announced although the number did not change.
	expect(now).toHaveAttribute("role", "status");
});

test("the audit trail is saved in the selected format, for the search of the page", async () => {
	const backend = trail();
	const save = vi.spyOn(backend, "saveTrail");
	await screen.findByText(/^Audit trail: verified/);
	fireEvent.click(menu());
	fireEvent.click(await screen.findByRole("menuitem", { name: "RFC 5424 (syslog)" }));
	await vi.waitFor(() => expect(save).toHaveBeenCalledWith(search, [], "syslog"));
});

test("a verification that is running shows its progress and can be stopped", async () => {
	const backend = trail({ verifying: { done: 20_000, total: 1_000_000 } });
	const stop = vi.spyOn(backend, "stopTrailVerification");
	await screen.findByText("Verifying: event 20,000 of 1,000,000");
	expect(screen.getByRole("progressbar")).toHaveAccessibleName("Progress of the verification");
	expect(screen.queryByRole("button", { name: "Verify audit trail" })).toBeNull();
	fireEvent.click(screen.getByRole("button", { name: "Stop verification" }));
	await vi.waitFor(() => expect(stop).toHaveBeenCalledOnce());
});

test("events are shown by their kind, page by page, and saved by it", async () => {
	const backend = trail();
	const event = (entry: number, kind: string, others: Partial<TrailEvent> = {}): TrailEvent => {
		const of = { operation: "", isUndo: false, siteName: "", serverName: null, who: "sam", outcome: "" };
		return { entry, kind, at: Date.UTC(2026, 10, 27), ...of, ...others };
	};
	const undo = event(10, "operation.ended", {
		...{ operation: "import_server", isUndo: true, siteName: "City GIS", serverName: "gisapp02" },
	});
	const sent = event(9, "operation.sent", { operation: "export_portal", siteName: "City GIS", outcome: "sent" });
	const events = vi.spyOn(backend, "trailEvents").mockImplementation(async (_search, kinds, before) => {
		if (before !== null) return { events: [event(1, "chain.began")], older: null };
		return kinds.length > 0
			? { events: [sent], older: null }
			: { events: [undo, sent, event(8, "unheard.of")], older: 8 };
	});
	const save = vi.spyOn(backend, "saveTrail");
	await screen.findByText(/^Audit trail: verified/);
	fireEvent.click(menu());
	fireEvent.click(await screen.findByRole("menuitem", { name: "Show events" }));
	const table = within(await screen.findByRole("table", { name: "Events of the audit trail" }));
	expect(table.getByText("Operation sent").closest("tr")).toHaveTextContent(/9.*Portal export.*City GIS.*sam.*Running/);
	table.getByText("unheard.of");
	const undone = table.getByText("Undo of server import").closest("tr");
	expect(undone, "which of several servers").toHaveTextContent("gisapp02 of City GIS");
	fireEvent.click(screen.getByRole("button", { name: "Show older events" }));
	await table.findByText("Audit trail began");
	expect(await axeFindings()).toEqual([]);

	const dialog = within(screen.getByRole("dialog"));
	fireEvent.click(dialog.getByRole("combobox", { name: "Event" }));
	fireEvent.click(await screen.findByRole("option", { name: "Operation sent" }));
	await vi.waitFor(() => expect(events).toHaveBeenCalledWith(search, ["operation.sent"], null, 100));
	fireEvent.click(dialog.getByRole("button", { name: "Save audit trail…" }));
	fireEvent.click(await screen.findByRole("menuitem", { name: "RFC 5424 (syslog)" }));
	await vi.waitFor(() => expect(save).toHaveBeenCalledWith(search, ["operation.sent"], "syslog"));
});
