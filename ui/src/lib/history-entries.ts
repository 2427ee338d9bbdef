import type { Backend, HistoryEntry, HistoryPlace, HistorySearch } from "@/bridge";

/** Entries in one request. Small, because most searches end at one of the newest entries. */
const entriesPerRead = 50;

const everything: HistorySearch = {
	text: "",
	site: null,
	server: null,
	operation: null,
	username: null,
	outcomes: [],
	from: null,
	to: null,
};

/** Reads the history page by page, newest first, for as long as the caller iterates. */
async function* entriesOf(backend: Backend, search: Partial<HistorySearch>): AsyncGenerator<HistoryEntry> {
	let from: HistoryPlace | null = null;
	do {
		const page = await backend.searchHistory({ ...everything, ...search }, from, entriesPerRead);
		yield* page.entries;
		from = page.older;
	} while (from !== null);
}

/** Returns the newest entry that fulfills a condition; `null` if none does. */
export async function newestEntry(
	backend: Backend,
	search: Partial<HistorySearch>,
	fulfills: (entry: HistoryEntry) => boolean = () => true,
): Promise<HistoryEntry | null> {
	for await (const entry of entriesOf(backend, search)) if (fulfills(entry)) return entry;
	return null;
}

/** Returns the newest entries that fulfill a condition, at most `most`. */
export async function newestEntries(
	backend: Backend,
	search: Partial<HistorySearch>,
	fulfills: (entry: HistoryEntry) => boolean,
	most = Number.POSITIVE_INFINITY,
): Promise<HistoryEntry[]> {
	const found: HistoryEntry[] = [];
	for await (const entry of entriesOf(backend, search)) {
		if (fulfills(entry)) found.push(entry);
		if (found.length >= most) break;
	}
	return found;
}
