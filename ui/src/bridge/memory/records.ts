import type { Backend } from "../backend";
import type { HistoryEntry, Problem, RecordId } from "../bindings";
import type { Answer } from "./answer";
import { asCommand, checked, details, pageOfHistory } from "./history";
import { type Dialogs, savedFile } from "./operations";
import { practiceSiteId, siteIn, type World } from "./world";

type Recording = Pick<
	Backend,
	| "searchHistory"
	| "historyPeople"
	| "saveHistory"
	| "saveEvidence"
	| "recordAsCommand"
	| "importReport"
	| "checkOutcome"
	| "settleOutcome"
	| "settlement"
	| "recordDetails"
	| "ticks"
	| "setTick"
	| "saveReport"
>;

/** What is asked of the history, and what somebody notes beside it. */
export function recording(world: World, answer: Answer, dialogs: Dialogs): Recording {
	return {
		searchHistory: (search, olderThan, limit) =>
			answer("searchHistory", () => pageOfHistory(world.history, search, olderThan, limit)),
		historyPeople: () =>
			answer("historyPeople", () => [...new Set(world.history.map(({ username }) => username))].sort()),
		saveHistory: (_search, format) => answer("saveHistory", () => savedFile(dialogs, `history.${format}`, 52_100)),
		saveEvidence: (record) =>
			answer("saveEvidence", () => {
				const { site, siteName, operation } = entryOf(world, record);
				if (site === practiceSiteId && operation === "import_server") world.lap.seen.push("saveEvidence");
				return savedFile(dialogs, `${siteName} evidence.zip`, 9_700);
			}),
		recordAsCommand: (record, language) =>
			answer("recordAsCommand", () =>
				asCommand(entryOf(world, record), siteIn(world, entryOf(world, record).site), language),
			),
		importReport: (record) =>
			answer("importReport", () => {
				const report = world.reports.get(record);
				if (!report) throw { kind: "unexpected", message: `no report ${record}` } satisfies Problem;
				return report;
			}),
		checkOutcome: (record) =>
			answer("checkOutcome", () => {
				const entry = entryOf(world, record);
				return checked(entry, entry.site !== practiceSiteId || world.practiceRunning);
			}),
		settleOutcome: (record, outcome, note) =>
			answer("settleOutcome", () => {
				const entry = entryOf(world, record);
				if (entry.outcome !== "unknown") {
					throw { kind: "unexpected", message: `the outcome of ${record} is known` } satisfies Problem;
				}
				entry.outcome = outcome;
				entry.isSettled = true;
				world.settlements.set(record, { note: note.trim(), by: entry.username, at: Date.now() });
			}),
		settlement: (record) => answer("settlement", () => world.settlements.get(record) ?? null),
		recordDetails: (record) =>
			answer("recordDetails", () =>
				details(entryOf(world, record), siteIn(world, entryOf(world, record).site), world.reports.get(record)),
			),
		ticks: (record) => answer("ticks", () => [...(world.ticks.get(record) ?? [])]),
		setTick: (record, item, done) =>
			answer("setTick", () => {
				const ticks = world.ticks.get(entryOf(world, record).id) ?? new Set();
				if (done) ticks.add(item);
				else ticks.delete(item);
				world.ticks.set(record, ticks);
			}),
		saveReport: (record, format) =>
			answer("saveReport", () => savedFile(dialogs, `import-report-${record}.${format}`, 18_400)),
	};
}

function entryOf(world: World, record: RecordId): HistoryEntry {
	const entry = world.history.find((one) => one.id === record);
	if (!entry) throw { kind: "unexpected", message: `the history has no record ${record}` } satisfies Problem;
	return entry;
}
