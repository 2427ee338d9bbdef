import type { HistoryEntry, Problem, RecordId } from "../bindings";
import type { Doings } from "./answer";
import { asCommand, checked, details, pageOfHistory } from "./history";
import { type Dialogs, savedFile } from "./operations";
import { practiceSiteId, siteIn, type World } from "./world";

/** What is asked of the history, and what somebody notes beside it. */
export function recording(world: World, dialogs: Dialogs) {
	return {
		searchHistory: (search, olderThan, limit) => pageOfHistory(world.history, search, olderThan, limit),
		historyUsers: () => [...new Set(world.history.map(({ username }) => username))].sort(),
		saveHistory: (_search, format) => savedFile(dialogs, `history.${format}`, 52_100),
		saveAuditPackage: (record) => {
			const { site, siteName, operation } = entryOf(world, record);
			if (site === practiceSiteId && operation === "import_server") world.lap.seen.push("saveAuditPackage");
			return savedFile(dialogs, `${siteName} evidence.zip`, 9_700);
		},
		recordAsCommand: (record, language) => {
			const entry = entryOf(world, record);
			return asCommand(entry, siteIn(world, entry.site), language);
		},
		importReport: (record) => {
			const report = world.reports.get(record);
			if (!report) throw { kind: "unexpected", message: `no report ${record}` } satisfies Problem;
			return report;
		},
		checkOutcome: (record) => {
			const entry = entryOf(world, record);
			return checked(entry, entry.site !== practiceSiteId || world.practiceRunning);
		},
		setOutcome: (record, outcome, note) => {
			const entry = entryOf(world, record);
			if (entry.outcome !== "unknown" && entry.outcome !== "sent") {
				throw { kind: "unexpected", message: `the outcome of ${record} is known` } satisfies Problem;
			}
			entry.outcome = outcome;
			entry.isSettled = true;
			world.settlements.set(record, { note: note.trim(), by: entry.username, at: Date.now() });
		},
		outcomeResolution: (record) => world.settlements.get(record) ?? null,
		recordDetails: (record) => {
			const entry = entryOf(world, record);
			return details(entry, siteIn(world, entry.site), world.reports.get(record));
		},
		checklist: (record) => [...(world.ticks.get(record) ?? [])],
		setChecklistItem: (record, item, done) => {
			const ticks = world.ticks.get(entryOf(world, record).id) ?? new Set();
			if (done) ticks.add(item);
			else ticks.delete(item);
			world.ticks.set(record, ticks);
		},
		saveReport: (record, format) => savedFile(dialogs, `import-report-${record}.${format}`, 18_400),
		showInFolder: () => {},
	} satisfies Partial<Doings>;
}

function entryOf(world: World, record: RecordId): HistoryEntry {
	const entry = world.history.find((one) => one.id === record);
	if (!entry) throw { kind: "unexpected", message: `the history has no record ${record}` } satisfies Problem;
	return entry;
}
