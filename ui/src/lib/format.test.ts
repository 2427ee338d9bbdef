import { vi } from "vitest";
import { i18n } from "@/messages/i18n";
import {
	dayPattern,
	firstDayOfWeek,
	formatAgo,
	formatClock,
	formatDate,
	formatDuration,
	formatExactTime,
	formatFullDate,
	formatSize,
	formatTime,
	formatTimeOfDay,
	formatWhen,
} from "./format";

beforeEach(() => {
	vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-GB"]);
});

test.each([
	[400, "0.4 s"],
	[42_000, "42 s"],
	[852_000, "14 min 12 s"],
	[120_000, "2 min"],
	[7_500_000, "2 h 5 min"],
	[72 * 3_600_000, "72 h"],
	[14.5 * 24 * 3_600_000, "14 days"],
])("a duration of %d ms is written %s", (millis, words) => {
	expect(formatDuration(millis)).toBe(words);
});

test.each([
	[9_000, "0:09"],
	[724_000, "12:04"],
	[3_723_000, "1:02:03"],
])("a clock at %d ms shows %s", (millis, shown) => {
	expect(formatClock(millis)).toBe(shown);
});

test("a size is in the unit that fits it, and small files say how small they are", () => {
	expect(formatSize(214_640_000)).toBe("214.6\u00a0MB");
	expect(formatSize(999_940_000)).toBe("999.9\u00a0MB");
	expect(formatSize(999_960_000)).toBe("1.00\u00a0GB");
	expect(formatSize(9_214_640_000)).toBe("9.21\u00a0GB");
	expect(formatSize(9_996_000_000)).toBe("10.0\u00a0GB");
	expect(formatSize(35_406_000_000)).toBe("35.4\u00a0GB");
	expect(formatSize(1_800_000_000_000)).toBe("1.8\u00a0TB");
	expect(formatSize(140_000)).toBe("0.1\u00a0MB");
	expect(formatSize(2_310)).toBe("2.3\u00a0kB");
	expect(formatSize(693)).toBe("693\u00a0bytes");
	expect(formatSize(0)).toBe("0\u00a0bytes");
});

test("today shows the time alone, another day its date too, and one that is long ago its year", () => {
	const now = new Date(2026, 10, 20, 21, 40).getTime();
	expect(formatTime(new Date(2026, 10, 20, 14, 5).getTime(), now)).toBe("14:05");
	expect(formatTime(new Date(2026, 10, 19, 14, 5).getTime(), now)).toBe("19 Nov, 14:05");
	expect(formatTime(new Date(2026, 10, 13, 14, 5).getTime(), now)).toBe("13 Nov, 14:05");
	expect(formatTime(new Date(2026, 10, 12, 14, 5).getTime(), now)).toBe("12 Nov 2026, 14:05");
	expect(formatTime(new Date(2026, 10, 28, 14, 5).getTime(), now)).toBe("28 Nov 2026, 14:05");
	expect(formatTime(new Date(2025, 10, 19, 14, 5).getTime(), now)).toContain("2025");
});

test("an hour of one digit has a nought before it only where the day has 24 hours", () => {
	const morning = new Date(2026, 10, 20, 9, 5).getTime();
	expect(formatTimeOfDay(morning)).toBe("09:05");
	vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-US"]);
	expect(formatTimeOfDay(morning)).toMatch(/^9:05\sAM$/);
	expect(formatTime(morning, morning)).toMatch(/^9:05\sAM$/);
});

test("a day begins with a capital as a heading, and the hour of an exact time has two digits, in Spanish too", async () => {
	const morning = new Date(2026, 10, 26, 5, 8, 23).getTime();
	expect(formatExactTime(morning)).toContain("26 November 2026 at 05:08:23");
	vi.spyOn(navigator, "languages", "get").mockReturnValue(["es-ES"]);
	await i18n.changeLanguage("es");
	expect(formatFullDate(morning)).toBe("Jueves, 26 de noviembre de 2026");
	expect(formatExactTime(morning)).toContain("26 de noviembre de 2026, 05:08:23");
});

test.each([
	[["en-GB", "en"], "09:05", "20 Nov 2026", "D MMM", 1],
	[["de-DE"], "09:05", "20 Nov 2026", "D MMM", 1],
	[["en", "de-AT"], "09:05", "20 Nov 2026", "D MMM", 1],
	[["es-MX", "en-US"], "9:05 AM", "Nov 20, 2026", "MMM D", 0],
	[["en-AU"], "9:05 am", "20 Nov 2026", "D MMM", 1],
	[[], "9:05 AM", "Nov 20, 2026", "MMM D", 0],
])(
	"where the system wants %j, English dates are those of that region, or of the United States",
	(wanted, time, date, field, week) => {
		vi.spyOn(navigator, "languages", "get").mockReturnValue(wanted);
		const at = new Date(2026, 10, 20, 9, 5).getTime();
		expect(formatTimeOfDay(at).replace(/\s/, " ")).toBe(time);
		expect(formatDate(at)).toBe(date);
		expect(dayPattern()).toBe(field);
		expect(firstDayOfWeek()).toBe(week);
	},
);

test("how long ago is said in the largest fitting unit", () => {
	expect(formatAgo(0, 0)).toBe("just now");
	expect(formatAgo(0, 20_000)).toBe("just now");
	expect(formatAgo(20_000, 0)).toBe("this minute");
	expect(formatAgo(0, 120_000)).toBe("2 minutes ago");
	expect(formatAgo(0, 3 * 86_400_000)).toBe("3 days ago");
	expect(formatAgo(7_200_000, 0)).toBe("in 2 hours");
});

test("a moment of a table is near by its time, and far away by its day", () => {
	const now = new Date(2026, 10, 27, 8, 40).getTime();
	const at = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime();
	expect(formatWhen(at(2026, 10, 27, 2, 41), now)).toBe("Today 02:41");
	expect(formatWhen(at(2026, 10, 25, 2, 55), now)).toBe("25 Nov, 02:55");
	expect(formatWhen(at(2026, 9, 14, 2, 55), now)).toBe("14 Oct 2026");
});
