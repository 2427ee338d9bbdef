import {
	type CommandLanguage,
	type HistoryEntry,
	type HistoryKey,
	type HistoryPage,
	type HistoryPlace,
	type HistorySearch,
	type OutcomeCheck,
	operations,
	type RecordDetails,
	type SiteView,
} from "../bindings";
import { pathOf } from "./preview";
import type { World } from "./world";

/** One page of what a search finds. A place is how many entries are older, which newer ones do not change. */
export function pageOfHistory(
	history: readonly HistoryEntry[],
	search: HistorySearch,
	olderThan: HistoryPlace | null,
	limit: number,
): HistoryPage {
	const placed = history.map((entry, index) => ({ entry, place: history.length - index }));
	const found = placed.filter(
		({ entry, place }) => (olderThan === null || place < olderThan) && matches(entry, search),
	);
	const page = found.slice(0, limit);
	return {
		entries: page.map(({ entry }) => entry),
		older: found.length > page.length ? (page.at(-1)?.place ?? null) : null,
	};
}

function matches(entry: HistoryEntry, search: HistorySearch): boolean {
	const kept = [
		entry.siteName,
		entry.operation,
		entry.username,
		entry.note,
		...entry.parameters.map((one) => one.value),
	];
	const text = kept.join(" ").toLowerCase();
	const words = search.text.toLowerCase().split(/\s+/).filter(Boolean);
	return (
		words.every((word) => text.includes(word)) &&
		(search.site === null || entry.site === search.site) &&
		(search.username === null || entry.username === search.username) &&
		(search.operation === null || entry.operation === search.operation) &&
		(search.outcomes.length === 0 || search.outcomes.includes(entry.outcome)) &&
		(search.from === null || entry.startedAt >= search.from) &&
		(search.to === null || entry.startedAt <= search.to)
	);
}

/** Adds an entry: of something that is done, unless the changes say otherwise. */
export function note(
	world: World,
	site: SiteView,
	operation: HistoryKey,
	changes: Partial<HistoryEntry> = {},
): HistoryEntry {
	const now = Date.now();
	const entry: HistoryEntry = {
		id: `r-${world.history.length + 1}`,
		site: site.id,
		siteName: site.name,
		operation,
		username: world.sessions.get(site.id)?.username ?? "",
		startedAt: now,
		endedAt: now,
		parameters: [],
		outcome: "succeeded",
		note: "",
		hasReport: false,
		elapsed: 0,
		siteVersion: "",
		programVersion: "0.1.0",
		systemUser: "pat",
		computer: "gis-desk",
		hasCommand: false,
		hasSafetyBackup: false,
		isSettled: false,
		...changes,
	};
	world.history.unshift(entry);
	return entry;
}

/** What is seen of a lost answer: here an export that is there, on a site that answers. */
export function checked(entry: HistoryEntry, answers: boolean): OutcomeCheck {
	if (!answers) {
		const problem = { kind: "unreachable", stage: "connect", message: "connection refused" } as const;
		return { facts: [{ kind: "siteSilent", problem }], suggestion: "unclear" };
	}
	const location = entry.parameters.find(({ name }) => name === "location")?.value ?? "";
	return {
		facts: [
			{ kind: "siteAnswers", version: "11.5" },
			{ kind: "fileHere", path: `${location}/Nov-19-2026_14-05-00.portalsite`, size: 214_600_000, whole: true },
		],
		suggestion: "done",
	};
}

function addressOf({ operation }: HistoryEntry, site: SiteView): string {
	const key = operations.find(({ key }) => key === operation);
	return key ? `${site[key.component]}${pathOf(key.key)}` : `${site.server ?? site.portal}/admin`;
}

/** Near enough to what the program writes to see how it looks. */
export function asCommand(entry: HistoryEntry, site: SiteView, language: CommandLanguage): string {
	const address = addressOf(entry, site);
	const fields = entry.parameters.map(({ name, value }) => ({ name, value: value.replaceAll("'", "") }));
	if (language === "python") {
		const form = fields.map(({ name, value }) => `    (${JSON.stringify(name)}, ${JSON.stringify(value)}),\n`).join("");
		return `import os\n\nform = [\n${form}    ("token", os.environ["TOKEN"]),\n]\n`;
	}
	const form = fields.map(({ name, value }) => ` \\\n  --data-urlencode '${name}=${value}'`).join("");
	return `curl --url '${address}'${form} \\\n  --data-urlencode 'token='"$TOKEN"`;
}

/** A record with one request, and the answer that fits how it ended. */
export function details(entry: HistoryEntry, site: SiteView, report: unknown): RecordDetails {
	const status = entry.outcome === "warnings" ? "success with warning" : "success";
	const answered = entry.outcome === "succeeded" || entry.outcome === "warnings";
	return {
		entry,
		requests: [
			{
				method: "POST",
				address: addressOf(entry, site),
				form: [...entry.parameters, { name: "f", value: "json" }, { name: "token", value: "***" }],
			},
		],
		response: answered ? JSON.stringify(report ?? { status, location: entry.note }) : null,
		responseTruncated: false,
	};
}
