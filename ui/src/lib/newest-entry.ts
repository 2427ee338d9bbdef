import type { Backend, HistoryEntry, HistoryPlace, HistorySearch } from "@/bridge";

/** Read at once: most often the newest entry is the one. */
const some = 50;

/** A search for every entry. */
export const everything: HistorySearch = {
	text: "",
	site: null,
	operation: null,
	username: null,
	outcomes: [],
	from: null,
	to: null,
};

/** Reads the history, newest first, until an entry fulfills the condition. Returns `null` if none does. */
export async function newestEntry(
	backend: Backend,
	search: Partial<HistorySearch>,
	fulfills: (entry: HistoryEntry) => boolean = () => true,
): Promise<HistoryEntry | null> {
	let from: HistoryPlace | null = null;
	do {
		const { entries, older } = await backend.searchHistory({ ...everything, ...search }, from, some);
		const found = entries.find(fulfills);
		if (found) return found;
		from = older;
	} while (from !== null);
	return null;
}
