import { act, screen, waitFor, within } from "@testing-library/react";
import { type Backend, type HistoryEntry, newRun } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { textParts } from "@/bridge/fake-backend/history";
import { NavigationProvider } from "@/lib/navigation";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { HistoryPage } from "./history-page";

// The list renders only visible rows, and elements have no size in this environment.
beforeEach(() => {
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(48);
});
afterEach(() => {
	vi.restoreAllMocks();
});

const { site } = signedInSite();

function entry(id: string, change: Partial<HistoryEntry> = {}): HistoryEntry {
	return {
		id,
		site: site.id,
		server: null,
		serverName: null,
		siteName: site.name,
		operation: "update_participant",
		username: "gisadmin",
		startedAt: Date.UTC(2026, 10, 26, 14, 20) - Number(id.slice(1)) * 1_000,
		endedAt: Date.UTC(2026, 10, 26, 14, 21),
		parameters: [],
		outcome: "succeeded",
		summary: null,
		note: `note ${id}`,
		upload: null,
		noteParts: textParts(`note ${id}`),
		hasReport: false,
		elapsed: 1_000,
		siteVersion: "11.5",
		programVersion: "0.1.0",
		systemUser: "pat",
		computer: "gis-desk",
		hasCommand: true,
		hasSafetyBackup: false,
		isResolved: false,
		reason: "",
		batch: null,
		...change,
	};
}

/** A run that updated five contacts, one rejected and one not sent, between two other entries. */
const world: NonNullable<MemoryOptions["world"]> = {
	sites: [site],
	history: [
		entry("r0", { operation: "export_portal" }),
		...["r1", "r2", "r3", "r4"].map((id) =>
			entry(id, { batch: "b1", reason: "CHG-2274", outcome: id === "r2" ? "failed" : "succeeded" }),
		),
		entry("r5", { operation: "export_portal" }),
	],
	batchSizes: new Map([["b1", 5]]),
};

function open(options: MemoryOptions | Backend = {}) {
	return renderWith(
		<NavigationProvider>
			<HistoryPage sites={[site]} />
		</NavigationProvider>,
		"listSites" in options ? options : { world: structuredClone(world), ...options },
	);
}

const batch = () => screen.findByRole("row", { name: /^Participant contact update/ });
const list = () => within(screen.getByRole("treegrid", { name: "History" }));
const row = (text: string) => list().getByText(text).closest("[role=row]") as HTMLElement;

test("the entries of a batch are one row that says how many were completed, and why", async () => {
	open();
	expect(await batch()).toHaveTextContent("3 of 5 completed · CHG-2274");
	expect(within(await batch()).getByText("Completed with warnings")).toBeInTheDocument();
	expect(screen.getAllByRole("row", { name: /on City GIS/ })).toHaveLength(3);
	expect(screen.getByText("6 entries", { selector: "[role=status]" })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

test("a batch opens with the arrow keys, worst first, and says what was not sent", async () => {
	const { user } = open();
	const head = await batch();
	act(() => head.focus());
	await user.keyboard("{ArrowRight}");
	await waitFor(() => expect(row("note r2")).toBeInTheDocument());
	const notes = ["note r2", "note r4", "note r3", "note r1"];
	const drawn = screen.getAllByRole("row").map(({ textContent }) => notes.find((note) => textContent?.includes(note)));
	expect(drawn.filter((note) => note !== undefined)).toEqual(notes);
	expect(screen.getByText("1 request was not sent")).toBeVisible();
	expect(head).toHaveAttribute("aria-expanded", "true");
	expect(await axeFindings()).toEqual([]);

	await user.keyboard("{ArrowDown}{Enter}");
	expect(await screen.findByRole("region", { name: "Participant contact update on City GIS" })).toBeVisible();
	await user.keyboard("{ArrowLeft}");
	await waitFor(() => expect(head).toHaveFocus());
	await user.keyboard("{ArrowLeft}");
	await waitFor(() => expect(list().queryByText("note r2")).toBeNull());
});

describe("a batch with an entry that has no end", () => {
	const history = (world.history ?? []).map((one) =>
		one.id === "r1" ? { ...one, outcome: "sent" as const, endedAt: null } : one,
	);

	test("is unknown like its entry if nothing runs on the site", async () => {
		const { user } = open({ world: { ...world, history } });
		expect(within(await batch()).getByText("Unknown")).toBeInTheDocument();
		await user.click(await batch());
		const panel = await screen.findByRole("region", { name: /5 requests$/ });
		expect(panel.querySelector("svg[stroke='var(--tone-unknown)']")).not.toBeNull();
	});

	test("says of no request that it was not sent while it runs", async () => {
		const backend = fakeBackend({ world: { ...signedInSite().world, ...world, history }, endless: ["exportPortal"] });
		const target = { kind: "folder", location: "/srv" } as const;
		void backend.exportPortal(site.id, newRun("run"), { target, checkOnly: false });
		const { user } = open(backend);
		expect(await within(await batch()).findByText("Running")).toBeInTheDocument();
		const head = await batch();
		act(() => head.focus());
		await user.keyboard("{ArrowRight}");
		await waitFor(() => expect(row("note r2")).toBeInTheDocument());
		expect(screen.queryByText("1 request was not sent")).toBeNull();
	});
});

test("a click opens a batch with its panel, from which it is saved and gets a reason as a whole", async () => {
	const { user, backend } = open();
	const saved = vi.spyOn(backend, "saveAuditPackage");
	await user.click(await batch());
	const panel = await screen.findByRole("region", { name: "Participant contact update on City GIS, 5 requests" });
	await user.click(within(panel).getByRole("button", { name: "Audit package…" }));
	await waitFor(() => expect(saved).toHaveBeenCalledWith(["r4", "r3", "r2", "r1"]));

	await user.click(await within(panel).findByRole("button", { name: "Edit reason…" }));
	const dialog = await screen.findByRole("dialog", { name: "Reason or ticket" });
	expect(dialog).toHaveTextContent("All 4 entries of the batch get this reason.");
	await fill(user, within(dialog).getByRole("textbox"), "CHG-2300");
	await user.click(within(dialog).getByRole("button", { name: "Save reason" }));
	await waitFor(async () => expect(await batch()).toHaveTextContent("3 of 5 completed · CHG-2300"));
	expect(await axeFindings()).toEqual([]);
});

test("Shift selects rows, with the pointer and with the keys, for one audit package", async () => {
	const { user, backend } = open();
	const saved = vi.spyOn(backend, "saveAuditPackage");
	await batch();
	await user.click(row("note r0"));
	await user.keyboard("{Shift>}");
	await user.click(row("note r5"));
	await user.keyboard("{/Shift}");
	expect(screen.getByText("6 entries · 3 selected")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Audit package…" }));
	await waitFor(() => expect(saved).toHaveBeenCalledWith(["r0", "r1", "r2", "r3", "r4", "r5"]));
	const path = await screen.findByText(/\.zip$/);
	expect(screen.getByText("6 entries · 3 selected").parentElement, "the result has its own line").not.toContainElement(
		path,
	);

	await user.click(row("note r0"));
	expect(screen.queryByText(/selected/)).toBeNull();
	act(() => row("note r0").focus());
	await user.keyboard("{Shift>}{ArrowDown}{/Shift}");
	expect(screen.getByText("6 entries · 2 selected")).toBeVisible();
});

test("Ctrl selects rows that are not neighbors, in the order of the list, and takes them away again", async () => {
	const { user, backend } = open();
	const saved = vi.spyOn(backend, "saveAuditPackage");
	await batch();
	await user.click(row("note r5"));
	await user.keyboard("{Control>}");
	await user.click(row("note r0"));
	expect(screen.getByText("6 entries · 2 selected")).toBeVisible();
	await user.click(await batch());
	await user.click(await batch());
	await user.keyboard("{/Control}");
	expect(screen.getByText("6 entries · 2 selected")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Audit package…" }));
	await waitFor(() => expect(saved).toHaveBeenCalledWith(["r0", "r5"]));
});

test("a reason is added to an entry later, and a refusal is said in its dialog", async () => {
	const fail: NonNullable<MemoryOptions["fail"]> = { setReason: { kind: "unexpected", message: "database is locked" } };
	const { user } = open({ fail });
	await batch();
	await user.click(row("note r0"));
	await user.click(await screen.findByRole("button", { name: "Add reason…" }));
	const dialog = await screen.findByRole("dialog", { name: "Reason or ticket" });
	await fill(user, within(dialog).getByRole("textbox"), "CHG-2291");
	await user.click(within(dialog).getByRole("button", { name: "Save reason" }));
	expect(await within(dialog).findByRole("alert")).toBeVisible();
	delete fail.setReason;
	await user.click(within(dialog).getByRole("button", { name: "Save reason" }));
	await waitFor(() => expect(row("note r0 · CHG-2291")).toBeInTheDocument());
});
