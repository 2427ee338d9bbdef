import type { HistoryKey, HistorySearch, Outcome, SiteId } from "@/bridge";

/** What the person looks for. Days are as the date field writes them, "2026-11-20". */
export interface Filters {
	text: string;
	site: SiteId | null;
	operation: HistoryKey | null;
	outcome: Outcome | null;
	username: string | null;
	days: [string | null, string | null];
}

export const noFilters: Filters = {
	text: "",
	site: null,
	operation: null,
	outcome: null,
	username: null,
	days: [null, null],
};

export function isFiltered(filters: Filters): boolean {
	const { text, days, ...chosen } = filters;
	return text.trim() !== "" || [...days, ...Object.values(chosen)].some((value) => value !== null);
}

/** The same for the program: whole days, by the clock of this computer. */
export function searchFor({ text, site, operation, outcome, username, days: [from, to] }: Filters): HistorySearch {
	return {
		text,
		site,
		operation,
		username,
		// What is recorded as running may be unknown by now.
		outcomes: outcome === "unknown" ? ["unknown", "sent"] : outcome ? [outcome] : [],
		from: from === null ? null : new Date(`${from}T00:00:00`).getTime(),
		to: to === null ? null : new Date(`${to}T23:59:59.999`).getTime(),
	};
}
