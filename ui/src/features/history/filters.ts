import type { HistoryKey, HistorySearch, Outcome, ServerId, SiteId } from "@/bridge";

/** First and last day as the date field writes them, for example "2026-11-20". */
type Days = [string | null, string | null];

export interface Filters {
	text: string;
	site: SiteId | null;
	/** Server of `site`. */
	server: ServerId | null;
	operation: HistoryKey | null;
	outcome: Outcome | null;
	username: string | null;
	days: Days;
}

export const noFilters: Filters = {
	text: "",
	site: null,
	server: null,
	operation: null,
	outcome: null,
	username: null,
	days: [null, null],
};

export const periods = ["today", "week", "month", "all"] as const;
export type Period = (typeof periods)[number];

export function daysOf(period: Period, now = new Date()): Days {
	const day = (year: number, month: number, date: number) => {
		const at = new Date(year, month, date);
		const two = (n: number) => String(n).padStart(2, "0");
		return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
	};
	const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()];
	if (period === "all") return noFilters.days;
	const first = { today: date, week: date - 6, month: 1 }[period];
	return [day(year, month, first), day(year, month, date)];
}

/** Returns the period of some days; `null` for other days. */
export function periodOf(days: Days, now = new Date()): Period | null {
	return periods.find((period) => daysOf(period, now).join() === days.join()) ?? null;
}

export function isFiltered(filters: Filters): boolean {
	return filters.text.trim() !== "" || filters.site !== null || countChosen(filters) > 0 || isDated(filters);
}

/**
 * Counts the filters in the fields that can be collapsed. The site and a period are outside of them and not counted.
 */
export function countChosen({ server, operation, outcome, username, days }: Filters): number {
	const chosen = [server, operation, outcome, username].filter((value) => value !== null).length;
	return periodOf(days) === null ? chosen + 1 : chosen;
}

function isDated({ days }: Filters): boolean {
	return days.some((day) => day !== null);
}

/** Returns the search of the backend. Days are whole days by the clock of this computer. */
export function searchFor({
	text,
	site,
	server,
	operation,
	outcome,
	username,
	days: [from, to],
}: Filters): HistorySearch {
	return {
		text,
		site,
		server,
		operation,
		username,
		// The outcome of an entry that is recorded as running might be unknown by now.
		outcomes: outcome === "unknown" ? ["unknown", "sent"] : outcome ? [outcome] : [],
		from: from === null ? null : new Date(`${from}T00:00:00`).getTime(),
		to: to === null ? null : new Date(`${to}T23:59:59.999`).getTime(),
	};
}
