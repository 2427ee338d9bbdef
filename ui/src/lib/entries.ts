import type { Backend, HistoryEntry, HistoryPlace, HistorySearch } from "@/bridge";

/** Read at once: most often one of the newest entries is the one. */
const some = 50;

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

/** Reads the history, newest first, page by page for as long as more entries are wanted. */
async function* entriesOf(backend: Backend, search: Partial<HistorySearch>): AsyncGenerator<HistoryEntry> {
	let from: HistoryPlace | null = null;
	do {
		const page = await backend.searchHistory({ ...everything, ...search }, from, some);
		yield* page.entries;
		from = page.older;
	} while (from !== null);
}

/** The newest entry that fulfills a condition; `null` if none does. */
export async function newestEntry(
	backend: Backend,
	search: Partial<HistorySearch>,
	fulfills: (entry: HistoryEntry) => boolean = () => true,
): Promise<HistoryEntry | null> {
	for await (const entry of entriesOf(backend, search)) if (fulfills(entry)) return entry;
	return null;
}

/** The newest entries that fulfill a condition, at most so many. */
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
