import { parameterOf } from "@/lib/history-text";
import {
	type HistoryBatch,
	type HistoryEntry,
	type HistoryKey,
	type HistorySearch,
	type Outcome,
	operations,
	type RecordId,
	type SiteView,
	type TrailEvent,
	type TrailView,
} from "../bindings";
import type { Doings } from "./answer";
import { savedFile, sha256 } from "./dialogs";
import { wire } from "./operations";
import { found, there } from "./problems";
import { practiceSiteId, siteIn, type World } from "./world";

/** Returns the audit trail event about the end of an entry. */
function eventOf(entry: HistoryEntry, number: number) {
	const kind = { sign_in: "signed-in", unlock: "read-only.unlocked" }[entry.operation as string] ?? "operation.ended";
	const event: TrailEvent = {
		entry: number,
		at: entry.startedAt,
		kind,
		operation: entry.operation,
		isUndo: parameterOf(entry.parameters, "undoes") !== "",
		siteName: entry.siteName,
		serverName: entry.serverName,
		who: entry.username,
		outcome: entry.outcome,
	};
	return { event, site: entry.site };
}

/** Returns an audit trail with one verified event for each history entry. */
function trailOf({ history }: World): TrailView {
	const head = `site-steward history 7f3a1c seq ${history.length} sha256 ${sha256}`;
	return { head, verifiedThrough: history.length, breaks: [], further: 0, rolledBack: [], verifying: null };
}

/** Commands about the history, with reasons and outcomes that the user sets. */
export function recording(world: World) {
	const entryOf = (record: RecordId): HistoryEntry =>
		found(world.history, ({ id }) => id === record, `record ${record}`);

	return {
		// The position of an entry is the number of older entries plus one, so that newer entries do not change it.
		searchHistory: (search, olderThan, limit) => {
			const placed = world.history.map((entry, index) => ({ entry, place: world.history.length - index }));
			const found = placed.filter(({ entry, place }) => place < (olderThan ?? Infinity) && matches(entry, search));
			const page = found.slice(0, limit);
			const older = found.length > page.length ? (page.at(-1)?.place ?? null) : null;
			const entries = page.map(({ entry }) => entry);
			return { entries, batches: batchesOf(world, entries), damaged: [], older };
		},
		historyBatch: (batch) => world.history.filter((entry) => entry.batch === batch),
		setReason: (records, reason) => {
			for (const entry of records.map(entryOf)) entry.reason = reason.trim();
		},
		historyUsers: () => [...new Set(world.history.map(({ username }) => username))].sort(),
		saveHistory: (_search, format) => savedFile(world, `history.${format}`, 52_100),
		saveAuditPackage: (records) => {
			const entries = records.map(entryOf);
			const [only] = entries.length === 1 ? entries : [];
			return savedFile(world, only ? `${only.siteName} evidence.zip` : "audit package.zip", 9_700 * entries.length);
		},
		trailStatus: () => trailOf(world),
		verifyTrail: () => trailOf(world),
		stopTrailVerification: () => {},
		trailEvents: (search, kinds, before, limit) => {
			const all = world.history.map((entry, index) => eventOf(entry, world.history.length - index));
			const found = all.filter(
				({ event, site }) =>
					(search.site === null || search.site === site) &&
					(kinds.length === 0 || kinds.includes(event.kind)) &&
					(before === null || event.entry < before),
			);
			const events = found.slice(0, limit).map(({ event }) => event);
			return { events, older: found.length > limit ? (events.at(-1)?.entry ?? null) : null };
		},
		saveTrail: (_search, _kinds, format) =>
			savedFile(world, `audit trail.${format === "jsonLines" ? "zip" : "log"}`, 61_300),
		recordAsCommand: (record) => {
			const { operation, site } = entryOf(record);
			return `curl --url '${addressOf(operation, siteIn(world, site))}' --data-urlencode 'token='"$TOKEN"`;
		},
		importReport: (record) => there(world.reports.get(record), `report ${record}`),
		// The checked site responds, and has the export of the entry.
		checkOutcome: (record) => {
			const { site, parameters } = entryOf(record);
			if (site === practiceSiteId && !world.practiceRunning) {
				const problem = { kind: "unreachable", stage: "connect", message: "connection refused" } as const;
				return { facts: [{ kind: "siteSilent", problem }], suggestion: "unclear" };
			}
			const location = parameters.find(({ name }) => name === "location")?.value ?? "";
			const path = `${location}/Nov-19-2026_14-05-00.portalsite`;
			return {
				facts: [
					{ kind: "siteAnswers", version: "11.5" },
					{ kind: "fileHere", path, size: 214_600_000, whole: true },
				],
				suggestion: "done",
			};
		},
		setOutcome: (record, outcome, note) => {
			const entry = entryOf(record);
			Object.assign(entry, { outcome, isResolved: true });
			world.settlements.set(record, { note: note.trim(), by: entry.username, at: Date.now() });
		},
		outcomeResolution: (record) => world.settlements.get(record) ?? null,
		// One request, and a response that matches the outcome.
		recordDetails: (record) => {
			const entry = entryOf(record);
			const address = addressOf(entry.operation, siteIn(world, entry.site));
			const form = [...entry.parameters, { name: "f", value: "json" }, { name: "token", value: "***" }];
			const status = entry.outcome === "warnings" ? "success with warning" : "success";
			const response = world.reports.get(record) ?? { status, location: entry.note };
			return {
				entry,
				requests: [{ method: "POST", address, form }],
				response: ["succeeded", "warnings"].includes(entry.outcome) ? JSON.stringify(response) : null,
				responseTruncated: false,
				isDamaged: false,
			};
		},
		checklist: (record) => [...(world.ticks.get(record) ?? [])],
		setChecklistItem: (record, item, done) => {
			const ticks = world.ticks.get(entryOf(record).id) ?? new Set();
			if (done) ticks.add(item);
			else ticks.delete(item);
			world.ticks.set(record, ticks);
		},
		saveReport: (record, format) => savedFile(world, `import-report-${record}.${format}`, 18_400),
		fileFacts: (path) => ({ path, size: 214_600_000, sha256 }),
		showInFolder: () => {},
	} satisfies Partial<Doings>;
}

/** Returns the batches of entries, each counted over the whole history. */
function batchesOf(world: World, entries: readonly HistoryEntry[]): HistoryBatch[] {
	const ids = new Set(entries.flatMap(({ batch }) => batch ?? []));
	return [...ids].map((id) => {
		const counts = new Map<Outcome, number>();
		for (const { batch, outcome } of world.history) {
			if (batch === id) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
		}
		const outcomes = [...counts].map(([outcome, count]) => ({ outcome, count }));
		return { id, size: world.batchSizes.get(id) ?? 0, outcomes };
	});
}

function matches(entry: HistoryEntry, search: HistorySearch): boolean {
	const { siteName, operation, username, note, reason, parameters } = entry;
	const text = [siteName, operation, username, note, reason, ...parameters.map(({ value }) => value)]
		.join(" ")
		.toLowerCase();
	const words = search.text.toLowerCase().split(/\s+/);
	return (
		words.every((word) => text.includes(word)) &&
		(["site", "server", "username", "operation"] as const).every((key) => (search[key] ?? entry[key]) === entry[key]) &&
		(search.outcomes.length === 0 || search.outcomes.includes(entry.outcome)) &&
		entry.startedAt >= (search.from ?? 0) &&
		entry.startedAt <= (search.to ?? Infinity)
	);
}

/** Returns the address of the request of an operation, without the IDs in it. */
export function addressOf(operation: HistoryKey, site: SiteView): string {
	const known = operations.find(({ key }) => key === operation);
	return known ? `${site[known.component]}${wire[known.key].path}` : `${site.server ?? site.portal}/admin`;
}
