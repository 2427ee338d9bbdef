import { screen, within } from "@testing-library/react";
import type { HistoryEntry, ImportReport } from "@/bridge";
import type { MemoryOptions } from "@/bridge/memory";
import { importReport } from "@/bridge/memory/import-report";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { HistoryPage } from "./history-page";

const { site } = signedInSite();
const start = new Date(2026, 10, 19, 14, 5).getTime();

function entry(change: Partial<HistoryEntry>): HistoryEntry {
	return {
		id: "r1",
		site: site.id,
		siteName: site.name,
		operation: "export_portal",
		username: "gisadmin",
		startedAt: start,
		endedAt: start + 852_000,
		parameters: [{ name: "location", value: "/srv/backup" }],
		outcome: "succeeded",
		note: "/srv/backup/Nov-19-2026_14-05-00.portalsite",
		hasReport: false,
		...change,
	};
}

function Viewer({ report }: { report: ImportReport }) {
	return <p>{report.counts.failedServices} failed services</p>;
}

function open(options: MemoryOptions) {
	return renderWith(<HistoryPage sites={[site]} ImportReportViewer={Viewer} />, options);
}

const filled: MemoryOptions = {
	world: {
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
		reports: new Map([["r3", importReport()]]),
	},
};

test("an empty history says why", async () => {
	open({});
	expect(await screen.findByRole("heading", { name: "Nothing has been sent yet" })).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

test("a history that cannot be read says so and can be read again", async () => {
	const fail: NonNullable<MemoryOptions["fail"]> = {
		listHistory: { kind: "unexpected", message: "database is locked" },
	};
	const { user } = open({ fail });
	expect(await screen.findByRole("alert", { name: /Something unexpected/ })).toBeInTheDocument();
	delete fail.listHistory;
	await user.click(screen.getByRole("button", { name: "Try again" }));
	expect(await screen.findByRole("heading", { name: "Nothing has been sent yet" })).toBeInTheDocument();
});

test("entries show their outcome in words, and are found by any word", async () => {
	const { user } = open(filled);
	const table = await screen.findByRole("table", { name: "History" });
	expect(within(table).getAllByRole("row")).toHaveLength(4);
	expect(within(table).getByText("Succeeded with warnings")).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);

	await user.type(screen.getByLabelText("Search"), "import start");
	expect(screen.getByRole("status")).toHaveTextContent("1 entry");
	await user.type(screen.getByLabelText("Search"), " nowhere");
	await user.click(await screen.findByRole("button", { name: "Clear the filters" }));
	expect(within(await screen.findByRole("table", { name: "History" })).getAllByRole("row")).toHaveLength(4);
});

test("details hold what was sent, and lead to the import report and back", async () => {
	const { user } = open(filled);
	await user.click(await screen.findByRole("button", { name: /^Details of Server import/ }));
	const drawer = await screen.findByRole("dialog", { name: "Server import on City GIS" });
	expect(within(drawer).getByRole("row", { name: "location /srv/backup" })).toBeInTheDocument();
	expect(within(drawer).getByText("14 min 12 s")).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);

	await user.click(within(drawer).getByRole("button", { name: "Open the import report" }));
	expect(await screen.findByText("2 failed services")).toBeInTheDocument();
	await user.click(screen.getByRole("button", { name: "Back to the history" }));
	expect(await screen.findByRole("table", { name: "History" })).toBeInTheDocument();
});

test("an unknown outcome says that the site may have finished", async () => {
	const { user } = open(filled);
	const unknown = (await screen.findAllByRole("button", { name: /^Details of Portal export/ }))[0];
	await user.click(unknown as HTMLElement);
	expect(await screen.findByText(/may have finished it/)).toBeInTheDocument();
});

test("a lost answer is checked and settled, and the facts stay", async () => {
	const { user, backend } = open(filled);
	await user.click((await screen.findAllByRole("button", { name: /^Details of Portal export/ }))[0] as HTMLElement);
	const drawer = await screen.findByRole("dialog");
	await user.click(within(drawer).getByRole("button", { name: "Check what became of it" }));
	expect(await within(drawer).findByText(/a whole archive/)).toBeVisible();
	expect(within(drawer).getByText("This looks as if it was done.")).toBeVisible();
	await user.type(within(drawer).getByLabelText("How you know (optional)"), "the file is there");
	await user.click(within(drawer).getByRole("button", { name: "It was done" }));
	expect(await within(drawer).findByText(/^Concluded by gisadmin/)).toBeVisible();
	expect(await within(drawer).findByText("Succeeded")).toBeVisible();
	expect(within(drawer).queryByRole("button", { name: "Check what became of it" })).toBeNull();
	expect(await backend.settlement("r2")).toMatchObject({ note: "the file is there" });
	expect(await axeFindings()).toEqual([]);
});

test("an unlock stands in the history with its reason", async () => {
	open({ world: { history: [entry({ operation: "unlock", note: "Receiver moves", parameters: [] })] } });
	expect(await screen.findByRole("button", { name: /^Details of Unlocking/ })).toBeVisible();
	expect(screen.getByText("Receiver moves")).toBeVisible();
});
