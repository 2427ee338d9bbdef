import { expect, test } from "vitest";
import { countChosen, daysOf, isFiltered, noFilters, type Period, periodOf } from "./history-filters";

test.each<[Period, Date, string | null, string | null]>([
	["today", new Date(2026, 10, 27, 23, 59), "2026-11-27", "2026-11-27"],
	["week", new Date(2026, 10, 27), "2026-11-21", "2026-11-27"],
	["week", new Date(2026, 0, 3), "2025-12-28", "2026-01-03"],
	["week", new Date(2028, 2, 2), "2028-02-25", "2028-03-02"],
	["month", new Date(2026, 10, 27), "2026-11-01", "2026-11-27"],
	["all", new Date(2026, 10, 27), null, null],
])("the period %s on %s is whole days up to that day", (period, now, from, to) => {
	expect(daysOf(period, now)).toEqual([from, to]);
	expect(periodOf(daysOf(period, now), now)).toBe(period);
});

test("days that were chosen one by one, or a period that ended, are no period", () => {
	const now = new Date(2026, 10, 27);
	expect(periodOf(["2026-11-02", "2026-11-27"], now)).toBeNull();
	expect(periodOf(daysOf("today", new Date(2026, 10, 26)), now)).toBeNull();
});

test("a period is a filter that can be cleared, and is not counted among the folded ones", () => {
	const filters = { ...noFilters, days: daysOf("week") };
	expect(isFiltered(filters)).toBe(true);
	expect(countChosen(filters)).toBe(0);
	expect(countChosen({ ...filters, site: "city", server: "s1" })).toBe(1);
	expect(countChosen({ ...filters, outcome: "failed", days: ["2020-01-01", null] })).toBe(2);
});
