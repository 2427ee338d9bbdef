import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import { type HistoryEntry, type HistoryPlace, type HistorySearch, useBackend } from "@/bridge";

/** As many as the program gives at a time. */
const pageLength = 5_000;

/** Reads all that a search finds, and prints it once it is on the page. It stays there: the system's dialog is still open. */
export function usePrint(search: HistorySearch, isListed: (entry: HistoryEntry) => boolean) {
	const backend = useBackend();
	const [entries, setEntries] = useState<readonly HistoryEntry[] | null>(null);
	const print = useMutation({
		mutationFn: async () => {
			const found: HistoryEntry[] = [];
			let place: HistoryPlace | null = null;
			do {
				const page = await backend.searchHistory(search, place, pageLength);
				found.push(...page.entries.filter(isListed));
				place = page.older;
			} while (place !== null);
			flushSync(() => setEntries(found));
			await backend.printPage();
		},
	});
	return { entries, print };
}
