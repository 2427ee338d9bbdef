import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { Profiler, useState } from "react";
import { type HistoryEntry, type NotePart, newRun, type RunsNow, type RunView, type Summary } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { textParts } from "@/bridge/fake-backend/history";
import { content } from "@/bridge/fake-backend/samples";
import { practiceSite } from "@/bridge/fake-backend/world";
import { formatDateTime, formatFullDate, formatTimeOfDay } from "@/lib/format";
import { NavigationProvider, useNavigation } from "@/lib/navigation";
import { usualPreferences } from "@/lib/preferences";
import { queryKeys } from "@/lib/queries/keys";
import { serverOf } from "@/lib/target";
import { deactivated } from "@/test/deactivation";
import { held } from "@/test/leaving";
import { pastOf } from "@/test/past";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { practiceServer } from "@/test/targets";
import { noFilters, searchFor } from "./history-filters";
import { HistoryPage } from "./history-page";

// The list renders only visible rows, and elements have no size in this environment.
beforeEach(() => {
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(48);
});
afterEach(() => {
	vi.restoreAllMocks();
});

const { site, world } = signedInSite();
const start = new Date(2026, 10, 19, 14, 5).getTime();

function part(kind: NotePart["kind"], text: string, about: string | null = null): NotePart {
	return { about, kind, text, upload: null };
}

function entry(change: Partial<HistoryEntry>): HistoryEntry {
	const written = part("path", "/srv/backup/Nov-19-2026_14-05-00.portalsite");
	return {
		id: "r1",
		site: site.id,
		server: null,
		serverName: null,
		siteName: site.name,
		operation: "export_portal",
		username: "gisadmin",
		startedAt: start,
		endedAt: start + 852_000,
		parameters: [{ name: "location", value: "/srv/backup" }],
		outcome: "succeeded",
		summary: null,
		note: written.text,
		upload: null,
		noteParts: change.note === undefined ? [written] : textParts(change.note),
		hasReport: false,
		elapsed: 852_000,
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

const fakeRun: RunView = {
	id: "run",
	site: site.id,
	siteName: site.name,
	server: null,
	serverName: null,
	operation: "export_portal",
	act: null,
	isUndo: false,
	startedAt: start,
	step: { kind: "preparing" },
	sent: false,
	usual: null,
};

function open(options: MemoryOptions) {
	return renderWith(<InPlace />, options);
}

function InPlace() {
	return (
		<NavigationProvider>
			<HistoryPage sites={[site]} />
		</NavigationProvider>
	);
}

/** History page that can be left and opened again. */
function Leaving() {
	const [here, setHere] = useState(true);
	return (
		<>
			<button type="button" onClick={() => setHere(!here)} aria-label="go" />
			{here ? <InPlace /> : null}
		</>
	);
}

const filled: MemoryOptions = {
	world: {
		sites: [site],
		history: [
			entry({
				id: "r3",
				operation: "import_server",
				outcome: "warnings",
				hasReport: true,
				note: "2 services did not start",
			}),
			entry({ id: "r2", outcome: "unknown", endedAt: null, note: "" }),
			entry({}),
		],
		reports: new Map([["r3", content().importReport]]),
	},
};

test("count and audit trail stand in one line above the list", async () => {
	open({ world: { sites: [practiceSite()], history: [entry({})] } });
	const trail = (await screen.findByRole("button", { name: "Verify audit trail" })).parentElement;
	expect(trail).toHaveTextContent(/^1 entry/);
});

test("an empty history says why", async () => {
	open({});
	expect(await screen.findByRole("heading", { name: "No history entries" })).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

test("a history that cannot be read says so and can be read again", async () => {
	const fail: NonNullable<MemoryOptions["fail"]> = {
		searchHistory: { kind: "unexpected", message: "database is locked" },
	};
	const { user } = open({ fail });
	expect(await screen.findByRole("alert", { name: /The app encountered an error/ })).toBeInTheDocument();
	delete fail.searchHistory;
	await user.click(screen.getByRole("button", { name: "Try again" }));
	expect(await screen.findByRole("heading", { name: "No history entries" })).toBeInTheDocument();
});

const rows = async () => within(await screen.findByRole("grid", { name: "History" })).getAllByRole("row");

test("entries stand under their day, with their outcome in words", async () => {
	open(filled);
	const [, day, first, ...rest] = await rows();
	expect(day).toHaveTextContent(formatFullDate(start));
	expect(first).toHaveTextContent(formatTimeOfDay(start));
	expect(first).toHaveTextContent("Completed with warnings");
	expect(rest).toHaveLength(2);
	expect(screen.getByText("3 entries", { selector: "[role=status]" })).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

test.each([
	[
		"a gateway's page is named by its title",
		"HTTP 502: <html> <head><title>502 Bad\nGateway</title></head> <body><h1>502 Bad Gateway</h1></body>",
		[],
		"HTTP 502: 502 Bad Gateway",
	],
	[
		"a page without a title is told by its words, also where it was cut",
		"HTTP 503: <!DOCTYPE html><style>p > b { color: red }</style><p>No <b>server</b> is available.</p> <a hre",
		[],
		"HTTP 503: No server is available.",
	],
	[
		"what stands around pages stays",
		"A.MapServer · B.MapServer: HTTP 502: <html><title>Bad Gateway</title> · C.MapServer: HTTP 504: <p>Timeout</p>",
		[
			part("names", "A.MapServer"),
			part("response", "HTTP 502: <html><title>Bad Gateway</title>", "B.MapServer"),
			part("response", "HTTP 504: <p>Timeout</p>", "C.MapServer"),
		],
		"A.MapServer · B.MapServer: HTTP 502: Bad Gateway · C.MapServer: HTTP 504: Timeout",
	],
	[
		"what a person or a site wrote is no page",
		"HTTP 502: <a> and <b>, size < 3",
		[part("text", "HTTP 502: <a> and <b>, size < 3")],
		"HTTP 502: <a> and <b>, size < 3",
	],
] as const)("in the list, %s; the details have the note as it came", async (_, note, parts, shown) => {
	const noteParts = parts.length > 0 ? [...parts] : [part("response", note)];
	const { user } = open({ world: { sites: [site], history: [entry({ note, noteParts })] } });
	const cell = within((await rows())[2] as HTMLElement)
		.getAllByRole("gridcell")
		.at(-1);
	expect(cell?.textContent).toBe(shown);
	expect(cell).toHaveAttribute("title", shown);
	const drawer = await details(user, /^Portal export/);
	expect(drawer.textContent).toContain(note);
});

test("entries are found by any word, and the search is still there after leaving the page", async () => {
	const { user } = renderWith(<Leaving />, filled);
	await rows();
	await fill(user, screen.getByLabelText("Search"), "import start");
	expect(await screen.findByText("1 entry", { selector: "[role=status]" })).toBeInTheDocument();

	await user.click(screen.getByRole("button", { name: "go" }));
	expect(screen.queryByLabelText("Search")).toBeNull();
	await user.click(screen.getByRole("button", { name: "go" }));
	expect(screen.getByLabelText("Search")).toHaveValue("import start");
	expect(await screen.findByText("1 entry", { selector: "[role=status]" })).toBeInTheDocument();

	await user.type(screen.getByLabelText("Search"), " nowhere");
	await user.click(await screen.findByRole("button", { name: "Show all entries" }));
	await waitFor(() => expect(screen.getByText("3 entries", { selector: "[role=status]" })).toBeInTheDocument());
});

test("each filter narrows the list, and all are let go of at once", async () => {
	const { user } = open({
		world: {
			history: [
				entry({ id: "r4", outcome: "failed", username: "kim" }),
				entry({ id: "r3", operation: "upload" }),
				entry({ id: "r2", site: "old", siteName: "Old GIS" }),
				entry({ id: "r1", startedAt: new Date(2025, 0, 5).getTime() }),
			],
		},
	});
	await screen.findByText("4 entries", { selector: "[role=status]" });
	await openFilters(user);
	const choose = async (label: string, option: string) => {
		await user.click(screen.getByRole("combobox", { name: label }));
		await user.click(await screen.findByRole("option", { name: option }));
		await screen.findByText("1 entry", { selector: "[role=status]" });
		await user.click(screen.getByRole("button", { name: "Clear filters" }));
		await screen.findByText("4 entries", { selector: "[role=status]" });
	};
	await choose("Outcome", "Failed");
	await choose("Operation", "Upload");
	await choose("User", "kim");
	await user.click(screen.getByRole("combobox", { name: "Site" }));
	await user.click(await screen.findByRole("option", { name: "City GIS" }));
	await screen.findByText("3 entries", { selector: "[role=status]" });
});

test("days are whole days of this computer", () => {
	const search = searchFor({ ...noFilters, days: ["2026-11-19", "2026-11-19"] });
	expect(new Date(search.from ?? 0)).toEqual(new Date(2026, 10, 19, 0, 0, 0, 0));
	expect(new Date(search.to ?? 0)).toEqual(new Date(2026, 10, 19, 23, 59, 59, 999));
});

test("older entries are read when the end of the list comes into sight", async () => {
	const history = Array.from({ length: 450 }, (_, n) => entry({ id: `r${450 - n}` }));
	open({ world: { history } });
	expect(await screen.findByText(/^Newest 200 entries/)).toBeInTheDocument();
	const list = screen.getByRole("grid", { name: "History" });
	list.scrollTop = 190 * 48;
	fireEvent.scroll(list);
	expect(await screen.findByText(/^Newest 400 entries|^450 entries/)).toBeInTheDocument();
});

test("after a run new records come in on top, and the older pages that were read are not read again", async () => {
	const history = Array.from({ length: 450 }, (_, n) => entry({ id: `r${450 - n}` }));
	const { backend } = open({ world: { ...world, history } });
	await screen.findByText(/^Newest 200 entries/);
	const list = screen.getByRole("grid", { name: "History" });
	list.scrollTop = 190 * 48;
	fireEvent.scroll(list);
	await screen.findByText(/^Newest 400 entries/);
	list.scrollTop = 0;
	fireEvent.scroll(list);

	const asked = vi.spyOn(backend, "searchHistory");
	await act(() =>
		backend.exportServer(serverOf(site), newRun("run"), { place: { kind: "serverFolder", location: "/srv/new" } }),
	);
	expect(await screen.findByText(/^Newest 401 entries/)).toBeInTheDocument();
	expect(screen.getAllByRole("row", { name: /^Server export/ })).not.toEqual([]);
	const pages = asked.mock.calls.filter(([, , limit]) => limit === 200);
	expect(pages.map(([, olderThan]) => olderThan)).toEqual([null]);
});

test("an older page is read again while one of its records has no outcome", async () => {
	const history = Array.from({ length: 450 }, (_, n) => entry({ id: `r${450 - n}` }));
	Object.assign(history[300] ?? {}, { outcome: "unknown" });
	const { backend, queries } = open({ world: { ...world, history } });
	await screen.findByText(/^Newest 200 entries/);
	const list = screen.getByRole("grid", { name: "History" });
	list.scrollTop = 190 * 48;
	fireEvent.scroll(list);
	await screen.findByText(/^Newest 400 entries/);
	const asked = vi.spyOn(backend, "searchHistory");
	await act(() => queries.invalidateQueries({ queryKey: queryKeys.history }));
	const pages = asked.mock.calls.filter(([, , limit]) => limit === 200);
	expect(pages.map(([, olderThan]) => olderThan === null)).toEqual([true, false]);
});

test("what was found stays when it cannot be read again, and says when it was true", async () => {
	const fail: NonNullable<MemoryOptions["fail"]> = {};
	const { queries } = open({ ...filled, fail });
	await rows();
	fail.searchHistory = { kind: "unexpected", message: "database is locked" };
	await act(() => queries.invalidateQueries());
	expect(await screen.findByRole("alert", { name: /The app encountered an error/ })).toBeInTheDocument();
	expect(screen.getByText(/^The list is from/)).toBeInTheDocument();
	expect(await rows()).toHaveLength(5);
});

const details = async (user: ReturnType<typeof open>["user"], name: RegExp) => {
	await user.click((await screen.findAllByRole("row", { name }))[0] as HTMLElement);
	return panel();
};

/** Details beside the list. */
const panel = (name: RegExp = / on /) => screen.findByRole("region", { name });
const noPanel = () => waitFor(() => expect(screen.queryByRole("region", { name: / on / })).toBeNull());
const openFilters = async (user: ReturnType<typeof open>["user"]) =>
	user.click(await screen.findByRole("button", { name: /^Filters/ }));

/** Headline of the import report of the history. */
const headline = /^2 services did not start.*1 warning/;

async function openReport(user: ReturnType<typeof open>["user"]) {
	const drawer = await details(user, /^Server import on City GIS/);
	await user.click(within(drawer).getByRole("button", { name: "Open the import report" }));
	expect(await screen.findByText(headline)).toBeInTheDocument();
}

test("details hold what was sent, and lead to the import report and back", async () => {
	const { user } = open(filled);
	const drawer = await details(user, /^Server import on City GIS/);
	expect(within(drawer).getByRole("row", { name: "Export file /srv/backup" })).toBeInTheDocument();
	expect(within(drawer).getByText("14 min 12 s")).toBeInTheDocument();
	expect(within(drawer).getByRole("row", { name: "Site version 11.5" })).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);

	await user.click(within(drawer).getByRole("button", { name: "Open the import report" }));
	expect(await screen.findByText(headline)).toBeInTheDocument();
	await user.click(screen.getByRole("button", { name: "Back to the history" }));
	expect(await screen.findByRole("grid", { name: "History" })).toBeInTheDocument();
	expect(await panel(/^Server import on City GIS$/)).toBeVisible();
});

function ToHistory({ report }: { report?: string }) {
	const { go } = useNavigation();
	return (
		<button
			type="button"
			onClick={() => go(report ? { page: "history", record: report, report: true } : { page: "history" })}
		>
			to the history
		</button>
	);
}

test("whoever comes back to a report from what it led to sees that report", async () => {
	const page = (
		<>
			<ToHistory report="r3" />
			<HistoryPage sites={[site]} />
		</>
	);
	const { user } = renderWith(page, filled);
	await user.click(screen.getByRole("button", { name: "to the history" }));
	expect(await screen.findByText(headline)).toBeInTheDocument();
	expect(screen.queryByRole("region", { name: / on / })).toBeNull();
});

function Elsewhere() {
	const { go, back } = useNavigation();
	return (
		<>
			<button type="button" onClick={() => go({ page: "settings" })}>
				elsewhere
			</button>
			<button type="button" onClick={() => back?.()}>
				back
			</button>
		</>
	);
}

test("a report is a place: Back leads to it from another page, and from it to the list", async () => {
	const page = (
		<>
			<ToHistory />
			<Elsewhere />
			<HistoryPage sites={[site]} />
		</>
	);
	const { user } = renderWith(page, filled);
	await user.click(screen.getByRole("button", { name: "to the history" }));
	await openReport(user);
	await user.click(screen.getByRole("button", { name: "elsewhere" }));
	expect(screen.queryByText(headline)).toBeNull();
	await user.click(screen.getByRole("button", { name: "back" }));
	expect(await screen.findByText(headline)).toBeInTheDocument();
	await user.click(screen.getByRole("button", { name: "back" }));
	expect(await screen.findByRole("grid", { name: "History" })).toBeInTheDocument();
	expect(screen.queryByText(headline)).toBeNull();
});

test("choosing the history once more leads to its beginning, also from a report", async () => {
	const page = (
		<>
			<ToHistory />
			<HistoryPage sites={[site]} />
		</>
	);
	const { user } = renderWith(page, filled);
	await user.click(screen.getByRole("button", { name: "to the history" }));
	await openReport(user);
	await user.click(screen.getByRole("button", { name: "to the history" }));
	expect(await screen.findByRole("grid", { name: "History" })).toBeInTheDocument();
	expect(screen.queryByText(headline)).toBeNull();
});

test("an entry is opened with the keyboard alone", async () => {
	const { user } = open(filled);
	const first = (await rows())[2] as HTMLElement;
	first.focus();
	await user.keyboard("{Enter}");
	expect(await panel(/^Server import on City GIS$/)).toBeInTheDocument();
});

test("an entry is saved as an audit package and shown as a command", async () => {
	const { user } = open(filled);
	const drawer = await details(user, /^Server import/);
	await user.click(within(drawer).getByRole("button", { name: "Save audit package" }));
	expect(await within(drawer).findByText("/home/sam/Documents/City GIS evidence.zip")).toBeInTheDocument();
	await user.click(within(drawer).getByRole("button", { name: "Request as curl" }));
	expect(await within(drawer).findByText(/"\$TOKEN"/)).toBeInTheDocument();
	expect(within(drawer).getByRole("button", { name: "Copy command" })).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

test("the whole list is saved as a table, and a closed dialog is said", async () => {
	const { user } = open({ ...filled, saveTo: null });
	await rows();
	await user.click(screen.getByRole("button", { name: "Save list" }));
	await user.click(await screen.findByRole("menuitem", { name: "Table (CSV)" }));
	expect(await screen.findByText(/^Nothing was saved/)).toBeInTheDocument();
});

test("an import is undone only with the site's name typed", async () => {
	const lost = entry({
		id: "r9",
		operation: "import_server",
		outcome: "unknown",
		endedAt: null,
		hasSafetyBackup: true,
	});
	const { world } = signedInSite();
	const { user, backend } = open({ world: { ...world, history: [lost] } });
	const drawer = await details(user, /^Server import/);
	await user.click(within(drawer).getByRole("button", { name: "Undo this import" }));
	const question = within(await screen.findByRole("dialog", { name: "Undo the import into City GIS?" }));
	expect(question.getByRole("button", { name: "Undo the import" })).toBeDisabled();
	await fill(user, question.getByLabelText(/^Enter “City GIS”/), "City GIS");
	await user.click(question.getByRole("button", { name: "Undo the import" }));
	expect(await within(drawer).findByText("The import was undone, but 2 services did not start")).toBeInTheDocument();
	expect((await pastOf(backend))[0]?.parameters).toContainEqual({ name: "undoes", value: "r9" });
	await user.click(within(drawer).getByRole("button", { name: "Close" }));
	expect(await screen.findByRole("row", { name: /Undo of server import/ })).toBeVisible();
	const again = await details(user, /^Server import/);
	expect(await within(again).findByText("The import was undone, but 2 services did not start")).toBeInTheDocument();
	expect(within(again).getByRole("button", { name: "Import the safety backup again" })).toBeInTheDocument();
});

test("what the program kept for itself and the file of an import have words", async () => {
	const parameters = [
		{ name: "location", value: "i7" },
		{ name: "safetyBackup", value: "i90b1" },
		{ name: "safetyBackupSavedAs", value: "/home/sam/before.agssite" },
	];
	const { user } = open({ world: { history: [entry({ operation: "import_server", parameters })] } });
	const sent = within(within(await details(user, /^Server import/)).getByRole("table", { name: "Facts" }));
	expect(
		sent
			.getAllByRole("rowheader")
			.map(({ textContent }) => textContent)
			.slice(1, 4),
	).toEqual(["Export file", "Safety backup (server upload)", "Safety backup saved as"]);
});

test("a site that was added from a profile file says so in words", async () => {
	const parameters = [
		{ name: "siteName", value: "City GIS" },
		{ name: "siteSource", value: "profile" },
	];
	const { user } = open({ world: { history: [entry({ operation: "add_site", parameters })] } });
	const table = within(within(await details(user, /^Site addition/)).getByRole("table", { name: "Facts" }));
	expect(table.getByRole("row", { name: "Added from site profile file" })).toBeVisible();
});

test("an identifier of an import has beside it what it stands for", async () => {
	const parameters = [
		{ name: "location", value: "i7", isUpload: true },
		{ name: "safetyBackup", value: "i90b1", isUpload: true },
		{ name: "undoes", value: "r-before" },
	];
	const file = [{ name: "file", value: "C:\\exports\\city.agssite" }];
	const history = [
		entry({
			id: "r-now",
			operation: "import_server",
			parameters,
			note: "i7",
			noteParts: [{ ...part("upload", ""), upload: "i7" }],
		}),
		entry({ id: "r-safe", operation: "export_server", note: "the export i90b1", upload: "i90b1" }),
		entry({ id: "r-file", operation: "upload", parameters: file, note: "i7, as it was sent", upload: "i7" }),
		entry({ id: "r-other", operation: "export_server", note: "the files i7 and i90b1" }),
		entry({ id: "r-before", operation: "import_server", parameters: [{ name: "location", value: "/srv/a.agssite" }] }),
	];
	const { user } = open({ world: { sites: [site], history } });
	const table = within(within(await details(user, /^Undo of server import/)).getByRole("table", { name: "Facts" }));
	expect(await table.findByText(`city.agssite, uploaded ${formatDateTime(start)}`)).toBeVisible();
	expect(await table.findByText(`Server export from ${formatDateTime(start)}`)).toBeVisible();
	expect(await table.findByText(`Server import from ${formatDateTime(start)}`)).toBeVisible();
	expect(screen.getAllByText(`city.agssite, uploaded ${formatDateTime(start)}`)).toHaveLength(2);
});

test("an unknown outcome says that the site may have finished", async () => {
	const { user } = open(filled);
	await details(user, /^Portal export/);
	expect(
		await screen.findByText(
			/^No response that tells the outcome was received\. The site might have completed the request/,
		),
	).toBeInTheDocument();
});

test("what was concluded is not shown as unknown because a filter does not show it any more", async () => {
	const { user } = open(structuredClone(filled));
	await openFilters(user);
	await user.click(await screen.findByRole("combobox", { name: "Outcome" }));
	await user.click(await screen.findByRole("option", { name: "Unknown" }));
	await screen.findByText("1 entry", { selector: "[role=status]" });
	const drawer = await details(user, /^Portal export/);
	await user.click(within(drawer).getByRole("button", { name: "Check outcome" }));
	await user.click(await within(drawer).findByRole("button", { name: "Mark as succeeded" }));
	expect(await within(drawer).findByText("Succeeded")).toBeVisible();
	expect(within(drawer).queryByRole("button", { name: "Check outcome" })).toBeNull();
});

test("what is recorded as running is unknown where nothing runs on its site: listed, filtered and settled as such", async () => {
	const { site: running, world } = signedInSite();
	const idle = { ...running, id: "old", name: "Old GIS" };
	const left = entry({ id: "r-left", site: idle.id, siteName: idle.name, outcome: "sent", endedAt: null, note: "" });
	const sites = [...(world.sites ?? []), idle];
	const backend = fakeBackend({ world: { ...world, sites, history: [left] }, endless: ["exportServer"] });
	void backend.exportServer(serverOf(running), newRun("run"), {
		place: { kind: "serverFolder", location: "/srv/backup" },
	});
	const { user } = renderWith(<InPlace />, backend);
	const outcomeOf = async (name: RegExp) => await screen.findByRole("row", { name });
	await waitFor(async () => expect(await outcomeOf(/^Server export on City GIS/)).toHaveTextContent("Running"));
	expect(await outcomeOf(/^Portal export on Old GIS/)).toHaveTextContent("Unknown");

	await openFilters(user);
	const choose = async (outcome: string) => {
		await user.click(screen.getByRole("combobox", { name: "Outcome" }));
		await user.click(await screen.findByRole("option", { name: outcome }));
		await screen.findByText("1 entry", { selector: "[role=status]" });
	};
	await choose("Running");
	expect(await outcomeOf(/^Server export on City GIS/)).toBeVisible();
	await choose("Unknown");
	const drawer = await details(user, /^Portal export on Old GIS/);
	await user.click(within(drawer).getByRole("button", { name: "Check outcome" }));
	await user.click(await within(drawer).findByRole("button", { name: "Mark as succeeded" }));
	expect(await within(drawer).findByText("Succeeded")).toBeVisible();
});

test("the reason for an outcome stays while the outcome is checked again, and where that fails", async () => {
	const backend = fakeBackend(filled);
	const { user } = renderWith(<InPlace />, backend);
	const drawer = await details(user, /^Portal export/);
	const check = within(drawer).getByRole("button", { name: "Check outcome" });
	await user.click(check);
	await fill(user, await within(drawer).findByLabelText("Reason (optional)"), "the file is there");
	backend.checkOutcome = () => Promise.reject({ kind: "unexpected", message: "no answer" });
	await user.click(check);
	expect(await within(drawer).findByRole("alert")).toBeVisible();
	expect(within(drawer).getByLabelText("Reason (optional)")).toHaveValue("the file is there");
});

test("the list is not drawn anew at each step of a run", async () => {
	const backend = fakeBackend(filled);
	let tell = (_: RunsNow) => {};
	backend.onRuns = (hear) => {
		tell = hear;
		return () => {};
	};
	const drawn = vi.fn();
	renderWith(
		<Profiler id="history" onRender={drawn}>
			<InPlace />
		</Profiler>,
		backend,
	);
	await screen.findAllByRole("row", { name: /^Portal export/ });
	const other = { ...fakeRun, site: "other" };
	act(() => tell({ revision: 10, running: [other], ended: [] }));
	drawn.mockClear();
	act(() => tell({ revision: 11, running: [{ ...other, step: { kind: "waiting" } }], ended: [] }));
	expect(drawn).not.toHaveBeenCalled();
});

test("a lost answer is checked and settled, and the facts stay", async () => {
	const { user, backend } = open(filled);
	const drawer = await details(user, /^Portal export/);
	await user.click(within(drawer).getByRole("button", { name: "Check outcome" }));
	expect(await within(drawer).findByText(/a complete archive/)).toBeVisible();
	expect(within(drawer).getByText("The site shows the change.")).toBeVisible();
	// Neither verdict is the primary button.
	for (const name of ["Mark as succeeded", "Mark as failed"]) {
		expect(within(drawer).getByRole("button", { name })).toHaveAttribute("data-variant", "default");
	}
	await fill(user, within(drawer).getByLabelText("Reason (optional)"), "the file is there");
	await user.click(within(drawer).getByRole("button", { name: "Mark as succeeded" }));
	expect(await within(drawer).findByText(/^Outcome set by gisadmin/)).toBeVisible();
	expect(await within(drawer).findByText("Succeeded")).toBeVisible();
	expect(within(drawer).queryByRole("button", { name: "Check outcome" })).toBeNull();
	expect(await backend.outcomeResolution("r2")).toMatchObject({ note: "the file is there" });
	expect(await axeFindings()).toEqual([]);
	await user.click(within(drawer).getByRole("button", { name: "Close" }));
	expect(await screen.findByTitle(/^Outcome set by a user/)).toHaveTextContent("Succeeded (set by user)");
});

test("an outcome that was set while nobody was signed in names nobody", async () => {
	const { world } = signedInSite();
	const lost = entry({ id: "r2", outcome: "unknown", endedAt: null, username: "" });
	const { user } = open({ world: { ...world, history: [lost] } });
	const drawer = await details(user, /^Portal export/);
	await user.click(within(drawer).getByRole("button", { name: "Check outcome" }));
	await user.click(await within(drawer).findByRole("button", { name: "Mark as failed" }));
	expect(await within(drawer).findByText(/^Outcome set by a user who was not signed in,/)).toBeVisible();
});

test("a lost answer may be left unknown after the check", async () => {
	const { world } = signedInSite();
	const lost = entry({ id: "r2", outcome: "unknown", endedAt: null });
	const { user, backend } = open({ world: { ...world, history: [lost] } });
	const drawer = await details(user, /^Portal export/);
	expect(within(drawer).queryByText("Results of the check"), "nobody asked").toBeNull();
	await user.click(within(drawer).getByRole("button", { name: "Check outcome" }));
	await user.click(await within(drawer).findByRole("button", { name: "Leave as unknown" }));
	await noPanel();
	expect((await backend.recordDetails("r2")).entry).toMatchObject({ outcome: "unknown", isResolved: true });
});

test("where the practice site ended with the program, it is started from the check, which then goes on", async () => {
	const lost = entry({ site: "practice", siteName: "Practice", outcome: "unknown", endedAt: null });
	const { user, backend } = open({ world: { sites: [practiceSite()], history: [lost] } });
	const drawer = within(await details(user, /^Portal export/));
	await user.click(drawer.getByRole("button", { name: "Check outcome" }));
	expect(await drawer.findByText(/^The practice site is not running/)).toBeVisible();
	expect(drawer.queryByRole("alert")).toBeNull();
	expect(await axeFindings()).toEqual([]);
	await user.click(drawer.getByRole("button", { name: "Start the practice site" }));
	expect(await drawer.findByText(/a complete archive/)).toBeVisible();
	expect(drawer.queryByText(/^The practice site is not running/)).toBeNull();
	expect(await backend.session(practiceServer)).not.toBeNull();
});

test("an unlock stands in the history with its reason", async () => {
	open({ world: { history: [entry({ operation: "unlock", note: "Receiver moves", parameters: [] })] } });
	expect(await screen.findByRole("row", { name: /^Site unlock on City GIS/ })).toBeVisible();
	expect(screen.getByText("Receiver moves")).toBeVisible();
});

test.each<[string, HistoryEntry, string]>([
	[
		"webhooks that were deactivated",
		entry({
			operation: "deactivate_webhooks",
			summary: {
				kind: "deactivation",
				services: ["Parcels", "Roads", "Hydrants"],
				deactivated: ["Parcels", "Roads", "Hydrants"],
			},
			note: "Parcels, Roads, Hydrants",
		}),
		"Webhooks deactivated on 3 services: Parcels, Roads, and Hydrants",
	],
	[
		"webhooks of which some were not deactivated, and why",
		entry({
			operation: "deactivate_webhooks",
			outcome: "warnings",
			summary: { kind: "deactivation", services: ["Parcels", "Roads"], deactivated: ["Parcels"] },
			note: "Parcels · Roads: HTTP 403",
			noteParts: [part("names", "Parcels"), part("text", "HTTP 403", "Roads")],
		}),
		"Webhooks deactivated on 1 of 2 services: Parcels · Parcels · Roads: HTTP 403",
	],
	[
		"a contact that was changed, with both values",
		entry({
			operation: "update_participant",
			summary: {
				kind: "contact",
				participant: "Regional Water Board",
				collaboration: "Flood Response",
				before: "Robin Hale, robin@example.net",
				after: "Kim Hale, kim@example.net",
				changed: true,
			},
			note: "kim@example.net",
		}),
		"Contact of Regional Water Board in Flood Response changed: Robin Hale, robin@example.net → Kim Hale, kim@example.net",
	],
	[
		"a contact that was rejected, with the reason",
		entry({
			operation: "update_participant",
			outcome: "failed",
			summary: {
				kind: "contact",
				participant: "Regional Water Board",
				collaboration: "Flood Response",
				before: "",
				after: "Kim Hale, kim@example.net",
				changed: false,
			},
			note: "No permission",
		}),
		"Contact of Regional Water Board in Flood Response: no contact person → Kim Hale, kim@example.net · No permission",
	],
	[
		"a reactivation that had nothing to do",
		entry({
			operation: "reactivate_webhooks",
			summary: { kind: "reactivation", service: "Parcels.FeatureServer", webhooks: 0, reactivated: 0 },
			note: "Parcels.FeatureServer",
		}),
		"Nothing changed on Parcels.FeatureServer: the webhooks were already active",
	],
	[
		"a reactivation that changed nothing",
		entry({
			operation: "reactivate_webhooks",
			summary: { kind: "reactivation", service: "Parcels.FeatureServer", webhooks: 2, reactivated: 0 },
			note: "Parcels.FeatureServer",
		}),
		"No webhook reactivated on Parcels.FeatureServer",
	],
	[
		"a reactivation of some",
		entry({
			operation: "reactivate_webhooks",
			summary: { kind: "reactivation", service: "Parcels.FeatureServer", webhooks: 3, reactivated: 2 },
			note: "Parcels.FeatureServer",
		}),
		"2 of 3 webhooks reactivated on Parcels.FeatureServer",
	],
	[
		"an invitation that was refreshed",
		entry({
			operation: "refresh_invitation",
			summary: {
				kind: "invitation",
				guest: "https://gis.rivers.example.net/portal",
				collaboration: "Flood Response",
				refreshed: true,
			},
			note: "flood.invite",
		}),
		"Invitation for gis.rivers.example.net/portal to Flood Response refreshed",
	],
	[
		"an export without a response, without the words of a library",
		entry({ outcome: "unknown", noteParts: [part("noResponse", "error sending request: operation timed out")] }),
		"No complete response received",
	],
	[
		"webhooks of which one got a response that cannot be read",
		entry({
			operation: "deactivate_webhooks",
			outcome: "unknown",
			noteParts: [
				part("unreadable", "a JSON object was expected", "Parcels.FeatureServer"),
				part("text", "busy", "Roads.FeatureServer"),
			],
		}),
		"Parcels.FeatureServer: Unexpected response · Roads.FeatureServer: busy",
	],
	[
		"a message of a site, whatever words it has",
		entry({ outcome: "failed", note: "no response from the site · /srv/data (i7) · HTTP 502: <html>" }),
		"no response from the site · /srv/data (i7) · HTTP 502: <html>",
	],
	[
		"a rejection whose words the summary has too",
		entry({
			operation: "refresh_invitation",
			outcome: "failed",
			summary: { kind: "invitation", guest: "Rivers", collaboration: "Flood", refreshed: false },
			note: "Rivers",
		}),
		"Invitation for Rivers to Flood · Rivers",
	],
])("the list says what happened: %s", async (_, one, said) => {
	open({ world: { history: [one] } });
	await rows();
	expect(screen.getByRole("gridcell", { name: said })).toBeVisible();
});

test("the account of the system and the computer stand beside the account at the site", async () => {
	const { user } = open({ world: { history: [entry({}), entry({ id: "r2", operation: "unlock", username: "" })] } });
	await rows();
	expect(screen.getByRole("gridcell", { name: "gisadmin · pat@gis-desk" })).toBeVisible();
	expect(screen.getByRole("gridcell", { name: "pat@gis-desk" })).toBeVisible();
	const drawer = within(await details(user, /^Portal export/));
	expect(drawer.getByRole("row", { name: "Computer gis-desk, account pat" })).toBeVisible();
});

test("what happened stands above the particulars, which have their names", async () => {
	const summary: Summary = { kind: "deactivation", services: ["Parcels"], deactivated: ["Parcels"] };
	const parameters = [
		{ name: "participantName", value: "Regional Water Board" },
		{ name: "previousContactFirstname", value: "Robin" },
		{ name: "previousContactEmailAddress", value: "robin@example.net" },
	];
	const { user } = open({ world: { history: [entry({ summary, parameters })] } });
	const drawer = within(await details(user, /^Portal export/));
	expect(drawer.getByText("Webhooks deactivated on 1 service: Parcels")).toBeVisible();
	expect(drawer.getByRole("row", { name: "Participant Regional Water Board" })).toBeVisible();
	expect(drawer.getByRole("row", { name: "Previous first name Robin" })).toBeVisible();
	expect(drawer.getByRole("row", { name: "Previous email address robin@example.net" })).toBeVisible();
});

test("the run of a backup plan opens to its parts, each of which leads to the entry of its export", async () => {
	const parts = [
		{ name: "City GIS", isAsExpected: true, record: "r1" },
		{ name: "gisapp01", isAsExpected: false, record: null },
	];
	const run = entry({
		id: "r5",
		operation: "run_plan",
		outcome: "failed",
		summary: { kind: "planRun", plan: "Nightly", parts },
		note: "No connection",
		hasCommand: false,
	});
	const { user } = open({ world: { sites: [site], history: [run, entry({})] } });
	await user.click(await screen.findByRole("row", { name: /^Run of a backup plan on/ }));
	const details = await screen.findByRole("region", { name: /^Run of a backup plan on/ });
	expect(within(details).getByText("Nightly: 1 of 2 parts as expected")).toBeVisible();
	expect(within(details).getByText("not as expected")).toBeVisible();
	expect(within(details).queryByRole("button", { name: "gisapp01" })).toBeNull();
	expect(await axeFindings()).toEqual([]);
	await user.click(within(details).getByRole("button", { name: "City GIS" }));
	expect(await screen.findByRole("region", { name: /^Portal export on/ })).toBeVisible();
});

test("the entry of a rehearsal has its parts, and opens its receipt", async () => {
	const parts = [
		{ name: "City GIS", isAsExpected: true, record: "r1", sha256: "a".repeat(64) },
		{ name: "gisapp01", isAsExpected: false, record: null },
	];
	const summary: Summary = { kind: "rehearsal", site: "Harbour", parts };
	const rehearsal = entry({ id: "r5", operation: "rehearse", outcome: "warnings", summary, hasCommand: false });
	const { user } = open({ world: { sites: [site], history: [rehearsal, entry({})] } });
	await user.click(await screen.findByRole("row", { name: /^Rehearsal of a restore on/ }));
	const details = await screen.findByRole("region", { name: /^Rehearsal of a restore on/ });
	expect(within(details).getByText(/^.?Harbour.?: .?1.? of 2 parts back$/)).toBeVisible();
	expect(within(details).getByRole("button", { name: "City GIS" })).toBeVisible();
	expect(within(details).getByRole("button", { name: "Open receipt" })).toBeVisible();
});

test("what the runner of backup plans waits for is not unknown, until the runner is gone without an outcome", async () => {
	const waiting = { outcome: "sent", endedAt: null, note: "", hasCommand: false, isInRunner: true } as const;
	const summary: Summary = { kind: "planRun", plan: "Nightly", parts: [] };
	const history = [entry({ ...waiting, id: "r6" }), entry({ ...waiting, id: "r5", operation: "run_plan", summary })];
	const { user, queries } = open({ world: { sites: [site], history } });
	const outcomes = async () =>
		(await screen.findAllByRole("row", { name: /^(Portal export|Run of a backup plan) on/ })).map(
			(row) => row.textContent?.includes("Unknown") ?? false,
		);
	expect(await outcomes()).toEqual([false, false]);
	for (const one of history) one.isInRunner = false;
	await act(() => queries.invalidateQueries({ queryKey: queryKeys.history }));
	await waitFor(async () => expect(await outcomes()).toEqual([true, true]));
	await user.click(screen.getByRole("row", { name: /^Portal export on/ }));
	expect(await screen.findByRole("button", { name: "Check outcome" })).toBeVisible();
});

test("a run of a backup plan without a known outcome is not checked: its parts are", async () => {
	const run = entry({
		id: "r5",
		operation: "run_plan",
		outcome: "unknown",
		summary: { kind: "planRun", plan: "Nightly", parts: [] },
		note: "",
		hasCommand: false,
	});
	const { user } = open({ world: { sites: [site], history: [run] } });
	await user.click(await screen.findByRole("row", { name: /^Run of a backup plan on/ }));
	const details = await screen.findByRole("region", { name: /^Run of a backup plan on/ });
	expect(within(details).getByText("Backup plan Nightly")).toBeVisible();
	expect(within(details).queryByRole("button", { name: "Check outcome" })).toBeNull();
});

test("locking a site again stands in the history", async () => {
	open({ world: { history: [entry({ operation: "lock", note: "", parameters: [] })] } });
	expect(await screen.findByRole("row", { name: /^Site lock on City GIS/ })).toBeVisible();
});

test("what the filters find is printed whole, with its names and without the window", async () => {
	const many = Array.from({ length: 450 }, (_, at) => entry({ id: `r${at}`, note: `/srv/backup/${at}` }));
	const other = entry({ id: "other", operation: "export_server", note: "/srv/server" });
	const backend = fakeBackend({ world: { sites: [site], history: [...many, other] } });
	const { user } = renderWith(<InPlace />, backend);
	await openFilters(user);
	await user.click(await screen.findByRole("combobox", { name: "Operation" }));
	await user.click(await screen.findByRole("option", { name: "Portal export" }));
	await user.click(screen.getByRole("button", { name: "Print…" }));
	await waitFor(() => expect(backend.happen.prints).toBe(1));
	const paper = within(document.querySelector("body > section") as HTMLElement);
	expect(paper.getAllByRole("row", { hidden: true })).toHaveLength(1 + many.length);
	expect(paper.getByText("/srv/backup/449")).toBeInTheDocument();
	expect(paper.queryByText("/srv/server")).toBeNull();
	expect(paper.getByText(/^Operation: Portal export · 450 entries · Printed /)).toBeInTheDocument();
});

test("a printed history names the filters that its entries were searched with, also if they change meanwhile", async () => {
	const backend = fakeBackend(filled);
	const { user } = renderWith(<InPlace />, backend);
	await rows();
	const reading = held(backend.searchHistory);
	backend.searchHistory = reading.command;
	await user.click(screen.getByRole("button", { name: "Print…" }));
	await openFilters(user);
	await user.click(await screen.findByRole("combobox", { name: "Operation" }));
	await user.click(await screen.findByRole("option", { name: "Portal export" }));
	reading.release();
	await waitFor(() => expect(backend.happen.prints).toBe(1));
	const paper = within(document.querySelector("body > section") as HTMLElement);
	expect(paper.queryByText(/^Operation: Portal export/)).toBeNull();
});

test("another page is not printed when the history is left while its entries are read", async () => {
	const backend = fakeBackend(filled);
	const { user, queries } = renderWith(<Leaving />, backend);
	await rows();
	const reading = held(backend.searchHistory);
	backend.searchHistory = reading.command;
	await user.click(screen.getByRole("button", { name: "Print…" }));
	await user.click(screen.getByRole("button", { name: "go" }));
	reading.release();
	await waitFor(() => expect(queries.isMutating()).toBe(0));
	await act(async () => {});
	expect(backend.happen.prints).toBe(0);
});

test("a page that the system cannot print says so", async () => {
	const fail = { printPage: { kind: "unexpected", message: "no printer" } } as const;
	const { user } = open({ ...filled, fail });
	await rows();
	await user.click(screen.getByRole("button", { name: "Print…" }));
	expect(await screen.findByRole("alert", { name: /The app encountered an error/ })).toBeVisible();
});

test("a chosen destination is not called saved", async () => {
	const parameters = [{ name: "destination", value: "/home/sam/city.agssite" }];
	const { user } = open({ world: { history: [entry({ operation: "export_server", parameters })] } });
	const shown = within(await details(user, /^Server export/)).getByRole("table", { name: "Facts" });
	expect(within(shown).getByRole("row", { name: /^Destination on this computer \/home\/sam\/city/ })).toBeVisible();
});

test("trust, sign-in and changes of a site stand in the history in words, and are filtered like the others", async () => {
	const change = entry({
		id: "c",
		operation: "change_site",
		note: "Replaced",
		parameters: [
			{ name: "siteEnvironment", value: "test", before: "production" },
			{ name: "siteName", value: "Town → GIS", before: "City GIS" },
			{ name: "siteAuthority", value: "", before: "/ca.pem" },
		],
	});
	const signIn = entry({
		id: "s",
		operation: "sign_in",
		note: "",
		parameters: [{ name: "signInMethod", value: "password" }],
	});
	const { user } = open({ world: { history: [change, signIn] } });
	expect(await screen.findByRole("row", { name: /^Sign-in on City GIS/ })).toBeVisible();
	const drawer = within(await details(user, /^Site change/));
	expect(drawer.getByRole("row", { name: "Environment production → test" })).toBeVisible();
	expect(drawer.getByRole("row", { name: "Name City GIS → Town → GIS" })).toBeVisible();
	expect(drawer.getByRole("row", { name: /^Certificate authority \(CA\) \/ca\.pem →/ })).toBeVisible();
	await user.click(drawer.getByRole("button", { name: "Close" }));
	await openFilters(user);
	await user.click(screen.getByRole("combobox", { name: "Operation" }));
	await user.click(await screen.findByRole("option", { name: "Site change" }));
	await waitFor(() => expect(screen.queryByRole("row", { name: /^Sign-in/ })).toBeNull());
});

test("Escape closes the details and leads back to the row, also from within them, but not from a dialog they opened", async () => {
	const lost = entry({ id: "r9", operation: "import_server", hasSafetyBackup: true });
	const { user } = open({ world: { ...world, history: [lost, entry({})] } });
	const row = await screen.findByRole("row", { name: /^Server import/ });
	row.focus();
	await user.keyboard("{Enter}");
	const shown = await panel();
	expect(row).toHaveFocus();
	await user.keyboard("{Escape}");
	await noPanel();
	expect(row).toHaveFocus();

	await user.keyboard("{Enter}");
	const undo = within(await panel()).getByRole("button", { name: "Undo this import" });
	await user.click(undo);
	await screen.findByRole("dialog");
	await user.keyboard("{Escape}");
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	expect(await panel()).toBeVisible();
	undo.focus();
	await user.keyboard("{Escape}");
	await noPanel();
	expect(row).toHaveFocus();
	expect(shown).not.toBeInTheDocument();
});

test("the arrow keys go on through the list while the details stay beside it", async () => {
	const { user } = open(filled);
	const row = await screen.findByRole("row", { name: /^Server import/ });
	row.focus();
	await user.keyboard("{Enter}");
	await panel(/^Server import/);
	await user.keyboard("{ArrowDown}");
	expect(await panel(/^Portal export/)).toBeVisible();
	expect(screen.queryByRole("region", { name: /^Server import/ })).toBeNull();
	expect(screen.getByRole("row", { selected: true })).toHaveFocus();
	expect(await axeFindings()).toEqual([]);
});

test.each([
	["that the filters hide", "no such word", {}],
	["that stands in the list", "", {}],
])("a link opens its entry, %s, and the keyboard is there", async (_, text) => {
	const page = (
		<>
			<ToEntry record="r1" />
			<ToEntry record="r2" />
			<HistoryPage sites={[site]} />
		</>
	);
	const history = [entry({ id: "r2", operation: "export_server" }), entry({})];
	const { user } = renderWith(page, { world: { sites: [site], history } });
	if (text) await fill(user, await screen.findByLabelText("Search"), text);
	await user.click(screen.getByRole("button", { name: "show r1" }));
	const shown = within(await panel(/^Portal export/));
	expect(shown.getByRole("heading", { name: /^Portal export/ })).toHaveFocus();
	// The history page can open other details, too.
	await user.click(screen.getByRole("button", { name: "show r2" }));
	expect(within(await panel(/^Server export/)).getByRole("heading", { name: /^Server export/ })).toHaveFocus();
});

function ToEntry({ record }: { record: string }) {
	const { go } = useNavigation();
	return (
		<button type="button" onClick={() => go({ page: "history", record })}>
			show {record}
		</button>
	);
}

test("a period and this site narrow the list from beside the search", async () => {
	const now = Date.now();
	const history = [
		entry({ id: "r3", startedAt: now }),
		entry({ id: "r2", startedAt: now, site: "old", siteName: "Old GIS" }),
		entry({ id: "r1", startedAt: now - 400 * 86_400_000 }),
	];
	const { user } = open({
		world: {
			...world,
			history,
			preferences: { preferences: { ...usualPreferences, lastSite: site.id }, setAside: [], policy: null },
		},
	});
	await screen.findByText("3 entries", { selector: "[role=status]" });
	await user.click(await screen.findByRole("radio", { name: "7 days" }));
	await screen.findByText("2 entries", { selector: "[role=status]" });
	const here = screen.getByRole("button", { name: "This site" });
	await user.click(here);
	await screen.findByText("1 entry");
	expect(here).toHaveAttribute("aria-pressed", "true");
	await user.click(screen.getByRole("button", { name: "Clear filters" }));
	await screen.findByText("3 entries", { selector: "[role=status]" });
	expect(screen.getByRole("radio", { name: "All" })).toBeChecked();
	expect(here).toHaveAttribute("aria-pressed", "false");
});

test("one of several servers of a site is a filter of its own, without those that have its name in their words", async () => {
	const second = site.servers.map((server) => ({ ...server, id: "second", name: `${server.name}2` }));
	const several = { ...site, servers: [...site.servers, ...second] };
	const [first] = site.servers;
	const history = [entry({ id: "r3", server: "second" }), entry({ id: "r2", server: first?.id ?? "" }), entry({})];
	const { user } = renderWith(
		<NavigationProvider>
			<HistoryPage sites={[several]} />
		</NavigationProvider>,
		{ world: { ...world, sites: [several], history } },
	);
	await screen.findByText("3 entries", { selector: "[role=status]" });
	await user.click(screen.getByRole("button", { name: "Filters" }));
	expect(screen.queryByRole("combobox", { name: "Server" })).toBeNull();
	await user.click(screen.getByRole("combobox", { name: "Site" }));
	await user.click(await screen.findByRole("option", { name: several.name }));
	await user.click(screen.getByRole("combobox", { name: "Server" }));
	await user.click((await screen.findAllByRole("option"))[1] as HTMLElement);
	await screen.findByText("1 entry", { selector: "[role=status]" });
	await user.click(screen.getByRole("button", { name: "Clear filters" }));
	await screen.findByText("3 entries", { selector: "[role=status]" });
	await fill(user, screen.getByRole("searchbox", { name: "Search" }), "no such word");
	await screen.findByText("No matching entries");
	await user.click(screen.getByRole("button", { name: "Clear search" }));
	await screen.findByText("3 entries", { selector: "[role=status]" });
	expect(screen.getByRole("searchbox", { name: "Search" })).toHaveFocus();
});

test("what can be done about an entry stands above its facts, and the request is folded below them", async () => {
	const undone = entry({ operation: "import_server", outcome: "unknown", hasSafetyBackup: true });
	const { user } = open({ world: { ...world, history: [undone] } });
	const shown = await details(user, /^Server import/);
	const order = [
		within(shown).getByText("No outcome is known"),
		within(shown).getByRole("region", { name: "Undo this import" }),
		within(shown).getByRole("table", { name: "Facts" }),
		within(shown).getByRole("button", { name: "Request and response" }),
		within(shown).getByRole("button", { name: "Request as curl" }),
	];
	for (const [at, part] of order.slice(1).entries()) {
		expect(order[at]?.compareDocumentPosition(part)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
	}
	for (const folded of order.slice(3)) expect(folded).toHaveAttribute("aria-expanded", "false");
});

test("the previous contact is brought to the form of the operation", async () => {
	const parameters = [
		{ name: "collaborationId", value: "c1" },
		{ name: "participantId", value: "p1" },
		{ name: "contactEmailAddress", value: "kim@example.net" },
		{ name: "previousContactFirstname", value: "Robin" },
		{ name: "previousContactLastname", value: "Hale" },
		{ name: "previousContactEmailAddress", value: "robin@example.net" },
	];
	const summary: Summary = {
		kind: "contact",
		participant: "Rivers",
		collaboration: "Flood",
		before: "Robin Hale, robin@example.net",
		after: "Kim Hale, kim@example.net",
		changed: true,
	};
	function Brought() {
		const { place, brought } = useNavigation();
		return <output>{JSON.stringify([place, brought?.parameters])}</output>;
	}
	const page = (
		<>
			<HistoryPage sites={[site]} />
			<Brought />
		</>
	);
	const history = [entry({ operation: "update_participant", parameters, summary })];
	const { user } = renderWith(page, { world: { ...world, history } });
	const shown = await details(user, /^Participant contact update/);
	expect(within(shown).getByRole("row", { name: "Email address kim@example.net" })).toBeVisible();
	await user.click(await within(shown).findByRole("button", { name: "Restore contact…" }));
	const at = document.querySelector("output");
	expect(at).toHaveTextContent('"key":"update_participant"');
	expect(at).toHaveTextContent('{"name":"contactEmailAddress","value":"robin@example.net"}');
});

const parcels = { site: site.id, service: "Parcels", deactivatedAt: start + 1_000 };
const several: Partial<HistoryEntry> = {
	server: deactivated().server,
	operation: "deactivate_webhooks",
	summary: { kind: "deactivation", services: ["Parcels"], deactivated: ["Parcels"] },
};
const single: Partial<HistoryEntry> = {
	server: deactivated().server,
	operation: "deactivate_webhook",
	parameters: [{ name: "service", value: "Parcels" }],
};

test.each([
	["of several services that is open in the log leads to the webhooks", several, parcels, 1],
	["of one webhook that is open in the log leads to the webhooks", single, parcels, 1],
	["that an undo repeated later leads to the webhooks", several, { ...parcels, deactivatedAt: start + 9e9 }, 1],
	["that was reactivated offers nothing", several, { ...parcels, resolvedAt: start + 5_000 }, 0],
	["after which the service was deactivated anew offers nothing", several, { ...parcels, record: "another" }, 0],
	["of another service offers nothing", several, { ...parcels, service: "Roads" }, 0],
])("a deactivation %s", async (_, change, logged, offered) => {
	const history = [entry(change)];
	const { user, queries } = open({ world: { ...world, history, deactivations: [deactivated(logged)] } });
	const shown = await details(user, /^(Webhook deactivation|Deactivation of one webhook)/);
	await waitFor(() => expect(queries.getQueryData(queryKeys.deactivations(site.id))).toHaveLength(1));
	await waitFor(() => expect(within(shown).queryAllByRole("button", { name: "Go to Webhooks" })).toHaveLength(offered));
});

test.each([
	["export_portal", "location", "Folder"],
	["export_portal", "validate", "Check only"],
	["export_portal", "backupObjectStore", "Bucket or container"],
	["export_portal", "backupObjectStoreRegion", "Region"],
	["export_portal", "accountName", "Storage account"],
	["export_portal", "accountEndpoint", "Account endpoint"],
	["export_server", "location", "Folder"],
	["import_server", "location", "Export file"],
	["update_participant", "collaborationId", "Collaboration ID"],
	["update_participant", "participantId", "Participant ID"],
	["update_participant", "contactFirstname", "First name"],
	["update_participant", "contactLastname", "Last name"],
	["update_participant", "contactEmailAddress", "Email address"],
	["refresh_invitation", "invitationId", "Invitation ID"],
] as const)("the facts of %s have a name for %s that can be read", async (operation, name, label) => {
	const { user } = open({ world: { history: [entry({ operation, parameters: [{ name, value: "x" }] })] } });
	const facts = within(await details(user, / on City GIS/)).getByRole("table", { name: "Facts" });
	expect(within(facts).getByRole("row", { name: `${label} x` })).toBeVisible();
});
