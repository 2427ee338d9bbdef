import { expect, it } from "vitest";
import { momentOf, newestFirst } from "./upload-date";

const day = (year: number, month: number, date: number, ...time: number[]) => {
	const [hour = 0, minute = 0, second = 0] = time;
	return new Date(year, month - 1, date, hour, minute, second).getTime();
};

it.each<[string, number | null]>([
	["1793714709000", 1793714709000],
	["981173106000", 981173106000],
	["1793714709", 1793714709000],
	["20261103140509", day(2026, 11, 3, 14, 5, 9)],
	["20261103", day(2026, 11, 3)],
	["2026-11-03", day(2026, 11, 3)],
	["2026/11/03 14:05", day(2026, 11, 3, 14, 5)],
	["2026-11-03T14:05:09Z", Date.UTC(2026, 10, 3, 14, 5, 9)],
	["2026-11-03T14:05:09.123+0100", Date.UTC(2026, 10, 3, 13, 5, 9)],
	["2026-11-03 14:05:09-05:30", Date.UTC(2026, 10, 3, 19, 35, 9)],
	["03.11.2026", day(2026, 11, 3)],
	["3.11.2026 14:05:09", day(2026, 11, 3, 14, 5, 9)],
	["03.11.2026, 14:05", day(2026, 11, 3, 14, 5)],
	["25/11/2026", day(2026, 11, 25)],
	["11/25/2026 2:05 PM", day(2026, 11, 25, 14, 5)],
	["11/25/2026 12:05 a.m.", day(2026, 11, 25, 0, 5)],
	["11-11-2026", day(2026, 11, 11)],
	["13 November 2026", day(2026, 11, 13)],
	["Nov 13, 2026 2:05 PM", day(2026, 11, 13, 14, 5)],
	["Fri Nov 13 14:05:09 UTC 2026", Date.UTC(2026, 10, 13, 14, 5, 9)],
	// Day and month are ambiguous, or the date does not exist.
	["03/11/2026", null],
	["3-11-2026 14:05", null],
	["03/11/26", null],
	["03-Nov-26", null],
	["25.13.2026", null],
	["31.11.2026", null],
	["2026-13-03", null],
	["20261399", null],
	["99", null],
	["20261103140", null],
	["yesterday", null],
	["", null],
])("%j is the moment %j", (date, moment) => {
	expect(momentOf(date)).toBe(moment);
});

it.each<[string[], string[]]>([
	[
		["03.11.2026", "12.01.2026", "01.12.2026"],
		["01.12.2026", "03.11.2026", "12.01.2026"],
	],
	[
		["20261103140509", "20261103140510"],
		["20261103140510", "20261103140509"],
	],
	[
		["03/11/2026", "05/01/2026", "25/02/2026"],
		["03/11/2026", "05/01/2026", "25/02/2026"],
	],
	[
		["1793714709000", "", "1793714709001"],
		["1793714709001", "1793714709000", ""],
	],
	[
		["1793714709000", "soon", "1793714709001"],
		["1793714709000", "soon", "1793714709001"],
	],
])("%j are listed as %j", (listed, shown) => {
	const uploads = listed.map((date, at) => ({ id: `i${at}`, name: `${at}`, description: "", date, here: null }));
	expect(newestFirst(uploads).map(({ date }) => date)).toEqual(shown);
});

test("an upload from here is dated by the history, where the server's date means two", () => {
	const at = (moment: number) => ({ name: null, size: null, at: moment, isSafetyBackup: false });
	const uploads = [at(1), at(2)].map((here, id) => ({
		id: `${id}`,
		name: "",
		description: "",
		date: "03/11/2026",
		here,
	}));
	expect(newestFirst(uploads).map(({ id }) => id)).toEqual(["1", "0"]);
});
