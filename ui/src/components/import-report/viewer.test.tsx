import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type ImportReport, newRun, type ReportMessage } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { type Place, useNavigation } from "@/lib/navigation";
import { serverOf } from "@/lib/target";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import { ImportReportViewer } from "./viewer";

const note = (message: string): ReportMessage => ({ level: "INFO", message, service: null });

function failed(service: string, message: string): ReportMessage {
	const machine = { machine: "SRV1", state: "FAILED", reports: [{ state: "FAILED", message: "no path" }] };
	return {
		level: "WARNING",
		message: `${service} could not be started`,
		service: { service, state: "FAILED", message, machines: [machine] },
	};
}

const zoning = failed("Parcels/Zoning.MapServer", "/enterpriseDatabases/parcels is not reachable.");

function report(): ImportReport {
	return {
		status: "success",
		safetyBackup: null,
		proof: null,
		reactivated: null,
		counts: { errors: 0, failedServices: 1, warnings: 1, notes: 2 },
		sources: [
			{ source: "Site", messages: [note("Directories found."), { level: "NOTICE", message: "Odd.", service: null }] },
			{ source: "Services", messages: [note('<img src=x onerror="alert(1)">'), zoning] },
		],
	};
}

/** Opens the report of an import in the history, after an earlier import with another result. */
async function inHistory(earlier: ImportReport = report(), options: Parameters<typeof fakeBackend>[0] = {}) {
	const { site, world } = signedInSite();
	const reports = new Map<string, ImportReport>();
	const backend = fakeBackend({ world: { ...world, reports }, ...options });
	const form = { location: "/a.agssite", confirmation: site.name, safetyBackup: null, deactivateWebhooks: null };
	const ids: string[] = [];
	for (const content of [earlier, report()]) {
		const ended = await backend.importServer(serverOf(site), newRun(), form);
		const id = (ended.kind === "done" ? ended.record : null) ?? "";
		reports.set(id, content);
		ids.push(id);
	}
	return { backend, record: ids[1] ?? "" };
}

const tree = () => screen.getByRole("tree", { name: "Messages" });
const rows = () => within(tree()).getAllByRole("treeitem");
const active = () => document.getElementById(tree().getAttribute("aria-activedescendant") ?? "");
const details = () => within(screen.getByRole("region", { name: "Row details" }));

it("puts the worst source first, and in it what did not start", async () => {
	const { container } = renderWith(<ImportReportViewer target={cityServer} report={report()} record={null} />);
	expect(rows().map((row) => row.textContent)).toEqual([
		"Services11",
		"Parcels/Zoning.MapServer/enterpriseDatabases/parcels is not reachable.FAILED",
		'<img src=x onerror="alert(1)">',
		"Site11",
		"Odd.NOTICE",
		"Directories found.",
	]);
	expect(container.querySelector("img")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("names the first services that did not start above all else, as plain text, and counts the others", () => {
	const counts = { errors: 0, failedServices: 5, warnings: 0, notes: 0 };
	const names = ["<b>A</b>.MapServer", "B.MapServer", "C.MapServer", "D.MapServer", "E.MapServer"];
	const source = { source: "Services", messages: names.map((name) => failed(name, "no data")) };
	const { container } = renderWith(
		<ImportReportViewer
			target={cityServer}
			report={{ status: "success", safetyBackup: null, proof: null, reactivated: null, counts, sources: [source] }}
			record={null}
		/>,
	);
	const banner = within(screen.getAllByRole("status")[0] as HTMLElement);
	expect(banner.getByText(/^Not started/)).toHaveTextContent(
		"Not started: <b>A</b>.MapServer, B.MapServer, C.MapServer and 2 more",
	);
	expect(container.querySelector("b")).toBeNull();
});

it("says how it is walked, and how much is fixed, in the tools that stay above the rows", () => {
	renderWith(<ImportReportViewer target={cityServer} report={report()} record={null} />);
	for (const words of [/^Use the arrow keys/, /^0 of \d fixed$/]) {
		let tools: HTMLElement | null = screen.getByLabelText("Search the report");
		while (tools && !tools.contains(screen.getByText(words))) tools = tools.parentElement;
		expect(tools).not.toContainElement(tree());
	}
});

it("is walked with the arrow keys, opened to the machines, and shows the details of where one is", async () => {
	const { user } = renderWith(<ImportReportViewer target={cityServer} report={report()} record={null} />);
	tree().focus();
	await user.keyboard("{ArrowDown}");
	expect(active()).toHaveTextContent("Parcels/Zoning.MapServer");
	expect(active()).toHaveAttribute("aria-expanded", "false");
	expect(details().getByText("no path")).toBeVisible();
	await user.keyboard("{ArrowRight}{ArrowRight}");
	expect(active()).toHaveTextContent(/^SRV1/);
	await user.keyboard("{ArrowLeft}");
	expect(active()).toHaveTextContent("Parcels/Zoning.MapServer");
	await user.keyboard("{ArrowLeft}");
	expect(screen.queryByText(/^SRV1$/, { selector: "[role=treeitem] *" })).toBeNull();
	await user.keyboard("{ArrowLeft}");
	expect(active()).toHaveTextContent("Services");
	await user.keyboard("{ArrowLeft}");
	expect(rows()).toHaveLength(4);
	await user.keyboard("{End}");
	expect(active()).toHaveTextContent("Directories found.");
	await user.keyboard("{Home}");
	expect(active()).toHaveTextContent("Services");
});

it("ticks off what is fixed with the space bar, and remembers it", async () => {
	const { backend, record } = await inHistory();
	const { user, unmount } = renderWith(
		<ImportReportViewer target={cityServer} report={report()} record={record} />,
		backend,
	);
	expect(await screen.findByText("0 of 2 fixed")).toBeVisible();
	tree().focus();
	await user.keyboard("{ArrowDown} ");
	expect(await screen.findByText("1 of 2 fixed")).toBeVisible();
	expect(active()).toHaveAttribute("aria-checked", "true");
	await user.keyboard("{ArrowDown} ");
	expect(active()).not.toHaveAttribute("aria-checked");
	await waitFor(async () => expect(await backend.checklist(record)).toEqual(["1.1"]));
	unmount();
	renderWith(<ImportReportViewer target={cityServer} report={report()} record={record} />, backend);
	expect(await screen.findByText("1 of 2 fixed")).toBeVisible();
	expect(rows()[1]).toHaveAttribute("aria-checked", "true");
});

it("filters by words and by level, and says what is hidden", async () => {
	const { user } = renderWith(<ImportReportViewer target={cityServer} report={report()} record={null} />);
	await user.click(screen.getByRole("checkbox", { name: "Information (2)" }));
	expect(await screen.findByText("2 messages are hidden by the filter.")).toBeVisible();
	expect(screen.queryByText("Directories found.")).toBeNull();
	await user.type(screen.getByLabelText("Search the report"), "SRV1");
	await waitFor(() => expect(screen.queryByText("Odd.")).toBeNull());
	expect(rows()[1]).toHaveTextContent("Parcels/Zoning.MapServer");
	await fill(user, screen.getByLabelText("Search the report"), "nothing like it");
	expect(await screen.findByText("No messages match the filter.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Show the full report" }));
	expect(await screen.findByText("Directories found.")).toBeVisible();
	expect(screen.getByLabelText("Search the report")).toHaveValue("");
	expect(screen.queryByRole("button", { name: "Show the full report" })).toBeNull();
});

it("compares with an earlier import: what is new, the same and gone", async () => {
	const water = failed("Water/Mains.FeatureServer", "rejected");
	const earlier = report();
	earlier.sources = [earlier.sources[0] as never, { source: "Services", messages: [water] }];
	const { backend, record } = await inHistory(earlier);
	const { user } = renderWith(<ImportReportViewer target={cityServer} report={report()} record={record} />, backend);
	await user.click(await screen.findByRole("combobox", { name: "Compare with" }));
	await user.click(await screen.findByRole("option"));
	expect(await screen.findByRole("checkbox", { name: "New (2)" })).toBeChecked();
	expect(screen.getByRole("checkbox", { name: "Unchanged (2)" })).toBeChecked();
	await user.click(screen.getByRole("checkbox", { name: "New (2)" }));
	await user.click(screen.getByRole("checkbox", { name: "Unchanged (2)" }));
	await waitFor(() => expect(rows()).toHaveLength(2));
	expect(rows()[1]).toHaveTextContent("Water/Mains.FeatureServer");
	expect(rows()[1]).toHaveTextContent("Removed");
	expect(rows()[1]).not.toHaveAttribute("aria-checked");
	expect(await axeFindings()).toEqual([]);
});

it("says why an earlier report cannot be read, and keeps this one", async () => {
	const { backend, record } = await inHistory(report(), {
		fail: { importReport: { kind: "unexpected", message: "damaged" } },
	});
	const { user } = renderWith(<ImportReportViewer target={cityServer} report={report()} record={record} />, backend);
	await user.click(await screen.findByRole("combobox", { name: "Compare with" }));
	expect(await screen.findByRole("option", { name: /^Compared with / })).toBeInTheDocument();
	await user.click(await screen.findByRole("option"));
	expect(await screen.findByRole("alert")).toBeVisible();
	expect(rows()).toHaveLength(6);
});

function GoTo({ place }: { place: Place }) {
	const { go } = useNavigation();
	return (
		<button type="button" onClick={() => go(place)}>
			go there
		</button>
	);
}

function WhereNow() {
	const { place, brought } = useNavigation();
	return <output data-testid="now">{JSON.stringify({ place, brought })}</output>;
}

const now = () => JSON.parse(screen.getByTestId("now").textContent ?? "");

/** Shows a report in the history with its first message selected, and the place that the window is at. */
async function atFirstMessage(shown = report()) {
	const { backend, record } = await inHistory();
	const page = (
		<>
			<ImportReportViewer target={cityServer} report={shown} record={record} />
			<WhereNow />
		</>
	);
	const { user } = renderWith(page, backend);
	await screen.findByRole("combobox", { name: "Compare with" });
	tree().focus();
	await user.keyboard("{ArrowDown}");
	return user;
}

it("leads from a path in a message to the data item", async () => {
	const user = await atFirstMessage();
	await user.click(screen.getByRole("button", { name: "Find /enterpriseDatabases/parcels in the data store items" }));
	const { place, brought } = now();
	expect(place).toMatchObject({ site: "city", key: "find_items" });
	expect(brought.parameters).toEqual([{ name: "parentPath", value: "/enterpriseDatabases" }]);
	expect(brought.narrow).toBe("/enterpriseDatabases/parcels");
});

it("leads from a folder in a message to the data items that name it", async () => {
	const elsewhere = report();
	elsewhere.sources[1]?.messages.splice(
		1,
		1,
		failed("Parcels/Zoning.MapServer", "Nothing was found at /srv/zoning/plan.gdb."),
	);
	const user = await atFirstMessage(elsewhere);
	await user.click(screen.getByRole("button", { name: "Search all data store items by path" }));
	const { brought } = now();
	expect(brought.parameters).toEqual([{ name: "ancestorPath", value: "/" }]);
	expect(brought.narrow).toBe("zoning");
});

it("leads from a service that did not start to the items that its manifest names", async () => {
	const user = await atFirstMessage();
	await user.click(
		details().getByRole("button", { name: "Read required items from the manifest: Parcels/Zoning.MapServer" }),
	);
	await user.click(
		await details().findByRole("button", { name: "Show /enterpriseDatabases/parcels in the data store items" }),
	);
	const { place, brought } = now();
	expect(place).toMatchObject({ site: "city", key: "find_items" });
	expect(brought.narrow).toBe("/enterpriseDatabases/parcels");
});

function BackFromItems() {
	const { place, back } = useNavigation();
	if (place.page !== "operation" || place.key !== "find_items") return null;
	return (
		<button type="button" onClick={back ?? undefined}>
			back
		</button>
	);
}

it("is where Back leads from the data items, in the history and as the result of an import", async () => {
	const { backend, record } = await inHistory();
	const city = { page: "operation", ...cityServer, key: "import_server" } as const;
	const fromHistory = { page: "history", record, report: true } as const;
	for (const at of [fromHistory, city] as Place[]) {
		const page = (
			<>
				<ImportReportViewer target={cityServer} report={report()} record={record} />
				<GoTo place={at} />
				<BackFromItems />
				<WhereNow />
			</>
		);
		const { user, unmount } = renderWith(page, backend);
		await user.click(screen.getByRole("button", { name: "go there" }));
		await screen.findByRole("combobox", { name: "Compare with" });
		tree().focus();
		await user.keyboard("{ArrowDown}");
		await user.click(screen.getByRole("button", { name: "Find /enterpriseDatabases/parcels in the data store items" }));
		await user.click(screen.getByRole("button", { name: "back" }));
		expect(now().place).toEqual(at);
		unmount();
	}
});

it("is found as it was left, at the row from which somebody went", async () => {
	const { backend, record } = await inHistory();
	const shown = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
	const { user } = renderWith(<Away record={record} />, backend);
	await screen.findByRole("combobox", { name: "Compare with" });
	tree().focus();
	await user.keyboard("{ArrowDown}");
	await user.click(screen.getByRole("button", { name: "away" }));
	expect(screen.queryByRole("tree")).toBeNull();
	shown.mockClear();
	await user.click(screen.getByRole("button", { name: "back" }));
	await screen.findByRole("combobox", { name: "Compare with" });
	expect(active()).toHaveTextContent("Parcels/Zoning.MapServer");
	expect(shown.mock.contexts).toEqual([active()]);
});

function Away({ record }: { record: string }) {
	const [away, setAway] = useState(false);
	return (
		<>
			<button type="button" onClick={() => setAway(!away)}>
				{away ? "back" : "away"}
			</button>
			{away ? null : <ImportReportViewer target={cityServer} report={report()} record={record} />}
		</>
	);
}

it("cannot save a report that the history does not have", () => {
	renderWith(<ImportReportViewer target={cityServer} report={report()} record={null} />);
	expect(screen.getByRole("button", { name: "Save report" })).toBeDisabled();
});

it("shows errors of the report as errors, worst first, and filters by them", async () => {
	const line = (level: string): ReportMessage => ({ level, message: `about ${level}`, service: null });
	const messages = ["INFO", "WARNING", "SEVERE", "error"].map(line);
	const counts = { errors: 2, failedServices: 1, warnings: 1, notes: 1 };
	const sources = [{ source: "Site", messages: [...messages, zoning] }];
	const { user } = renderWith(
		<ImportReportViewer
			target={cityServer}
			report={{ status: "success", safetyBackup: null, proof: null, reactivated: null, counts, sources }}
			record={null}
		/>,
	);
	expect(screen.getByText(/^2 errors · 1 service did not start · 1 warning · 1 information message$/)).toBeVisible();
	expect(rows().map((row) => within(row).getAllByRole("img")[0]?.getAttribute("aria-label"))).toEqual([
		"Error",
		"Error",
		"Error",
		"Not started",
		"Warning",
		"Information",
	]);
	await user.click(screen.getByRole("checkbox", { name: "Errors (2)" }));
	expect(within(tree()).queryByText("about SEVERE")).toBeNull();
	expect(within(tree()).getByText("about WARNING")).toBeVisible();
});

it("counts the errors of a source as the head does, and says where a line has no message", async () => {
	const line = (level: string, message: string): ReportMessage => ({ level, message, service: null });
	const messages = [line("ERROR", ""), line("SEVERE", "  "), line("WARNING", "Odd.")];
	const counts = { errors: 2, failedServices: 0, warnings: 1, notes: 0 };
	const sources = [{ source: "Site", messages }];
	const { user } = renderWith(
		<ImportReportViewer
			target={cityServer}
			report={{ status: "success", safetyBackup: null, proof: null, reactivated: null, counts, sources }}
			record={null}
		/>,
	);
	expect(details().getByText("2 errors")).toBeVisible();
	expect(details().getByText("1 warning")).toBeVisible();
	expect(within(tree()).getAllByText("No message")).toHaveLength(2);
	tree().focus();
	await user.keyboard("{ArrowDown}");
	expect(details().getByText("No message")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("says that the server reported nothing", () => {
	const nothing = { errors: 0, failedServices: 0, warnings: 0, notes: 0 };
	const empty: ImportReport = {
		status: "success",
		safetyBackup: null,
		proof: null,
		reactivated: null,
		counts: nothing,
		sources: [],
	};
	renderWith(<ImportReportViewer target={cityServer} report={empty} record={null} />);
	expect(screen.getAllByText("The report is empty.").length).toBeGreaterThan(0);
	expect(screen.queryByRole("tree")).toBeNull();
	expect(screen.queryByRole("button", { name: "Save report" })).toBeNull();
});

it("calls a report clean only when nothing failed and nothing warns", () => {
	const clean = { errors: 0, failedServices: 0, warnings: 0, notes: 1 };
	const sources = [{ source: "Site", messages: [note("Directories found.")] }];
	const { unmount } = renderWith(
		<ImportReportViewer
			target={cityServer}
			report={{ status: "success", safetyBackup: null, proof: null, reactivated: null, counts: clean, sources }}
			record={null}
		/>,
	);
	expect(screen.getByText("Succeeded")).toBeVisible();
	unmount();
	const counts = { ...clean, failedServices: 1 };
	renderWith(
		<ImportReportViewer
			target={cityServer}
			report={{ status: "success", safetyBackup: null, proof: null, reactivated: null, counts, sources }}
			record={null}
		/>,
	);
	expect(screen.queryByText("Succeeded")).toBeNull();
	expect(screen.getByText("1 service did not start · 1 information message")).toBeVisible();
	expect(screen.queryByText(/0 warnings/)).toBeNull();
});

// Report whose second source has the important messages, after five thousand messages of the first.
function longReport(): ImportReport {
	const messages = Array.from({ length: 5_000 }, (_, n) => note(`note ${n}`));
	return {
		status: "success",
		safetyBackup: null,
		proof: null,
		reactivated: null,
		counts: { errors: 0, failedServices: 1, warnings: 0, notes: 5_000 },
		sources: [
			{ source: "Site", messages },
			{ source: "Services", messages: [zoning] },
		],
	};
}

it("shows what was found after the import, with every check that its record keeps", async () => {
	const check = (running: number) => ({
		checkedAt: Date.now() - running * 60_000,
		services: 32,
		shouldRun: 32,
		running,
		notRunning: running === 32 ? [] : [{ service: "Parcels/Zoning.MapServer", state: "FAILED" }],
	});
	const proof = { check: check(30), later: [check(31), check(32)], servicesBefore: 34, lost: [] };
	const { user } = renderWith(<ImportReportViewer target={cityServer} report={{ ...report(), proof }} record="r-1" />);
	expect(await screen.findByText("32 of 32 services are running")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Earlier checks" }));
	expect(await screen.findByText(/30 of 32 services are running/)).toBeVisible();
	expect(screen.getByText(/31 of 32 services are running/)).toBeVisible();
});

const clean = () => ({ ...report(), sources: [], counts: { errors: 0, failedServices: 0, warnings: 0, notes: 0 } });

it("names the webhooks that are not active again also in the history", () => {
	const notActive = { service: "Roads.FeatureServer", webhook: "Notify", message: "No." };
	const none = { services: 1, active: 0, gone: [], failed: [], unknown: [], notRead: null, inactive: null };
	const reactivated = { ...none, failed: [notActive] };
	renderWith(<ImportReportViewer target={cityServer} report={{ ...clean(), reactivated }} record="r-1" />);
	expect(screen.getByText("Completed with warnings")).toBeVisible();
	expect(screen.getByText(/Roads\.FeatureServer.*Notify.*No\./)).toBeVisible();
});

it("does not call an import a success after which services of the export are missing", () => {
	const check = { checkedAt: 1, services: 3, shouldRun: 3, running: 3, notRunning: [] };
	const proof = { check, later: [], servicesBefore: 3, lost: ["Roads.FeatureServer"] };
	renderWith(<ImportReportViewer target={cityServer} report={{ ...clean(), proof }} record="r-1" />);
	expect(screen.getByText("Completed with warnings")).toBeVisible();
	expect(screen.getByText("Roads.FeatureServer")).toBeVisible();
});

describe("a long report", () => {
	// The list renders only visible rows, and elements have no size in this environment.
	beforeEach(() => {
		vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
		vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(600);
	});

	it("shows what did not start before all notes, and draws only what can be seen", async () => {
		const { user } = renderWith(<ImportReportViewer target={cityServer} report={longReport()} record={null} />);
		expect(rows()[1]).toHaveTextContent("Parcels/Zoning.MapServer");
		expect(rows().length).toBeLessThan(60);
		expect(rows()[3]).toHaveAttribute("aria-setsize", "5000");
		expect(await axeFindings()).toEqual([]);
		await fill(user, screen.getByLabelText("Search the report"), "note 4999");
		expect(await screen.findByText("note 4999", { selector: "[role=treeitem] *" })).toBeVisible();
	});

	it("keeps what was opened when its row is drawn anew", async () => {
		const { user } = renderWith(<ImportReportViewer target={cityServer} report={longReport()} record={null} />);
		tree().focus();
		await user.keyboard("{ArrowDown}{ArrowRight}");
		expect(rows()[1]).toHaveAttribute("aria-expanded", "true");
		await fill(user, screen.getByLabelText("Search the report"), "note 1");
		await waitFor(() => expect(rows()[1]).toHaveTextContent("note 1"));
		await user.clear(screen.getByLabelText("Search the report"));
		await waitFor(() => expect(rows()[1]).toHaveTextContent("Parcels/Zoning.MapServer"));
		expect(rows()[1]).toHaveAttribute("aria-expanded", "true");
	});
});
