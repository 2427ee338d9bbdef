import { formatDuration, formatList, formatNumber, formatSize, formatTime, formatWeekday } from "@/lib/format";
import { systemLanguage } from "@/lib/language";
import { i18n, speak } from "./i18n";

afterEach(() => speak("en"));

test.each([
	[["de-AT", "en"], "de"],
	[["fr-CA", "es-MX", "en"], "es"],
	[["fr"], "en"],
	[[], "en"],
])("on a desktop that wants %j the program speaks %s", (wanted, spoken) => {
	expect(systemLanguage(wanted)).toBe(spoken);
});

test("a language is loaded when it is asked for, and the page says which it is", async () => {
	await speak("de");
	expect(i18n.t("action.cancel")).toBe("Abbrechen");
	expect(document.documentElement.lang).toBe("de");
});

test("whoever changes their mind gets the language asked for last", async () => {
	await Promise.all([speak("es"), speak("en")]);
	expect(i18n.language).toBe("en");
});

test("numbers, sizes, times and lists follow the language", async () => {
	const thursday = new Date(2026, 10, 19, 14, 5).getTime();
	await speak("de");
	expect(formatNumber(12_345)).toBe("12.345");
	expect(formatSize(214_640_000)).toBe("214,6\u00a0MB");
	expect(formatDuration(852_000)).toBe("14 Min. 12 Sek.");
	expect(formatWeekday(thursday)).toBe("Donnerstag, 14:05");
	expect(formatTime(thursday, thursday + 86_400_000)).toBe("19. Nov., 14:05");
	expect(formatList(["a", "b", "c"])).toBe("a, b und c");
	await speak("es");
	expect(formatNumber(12_345)).toBe("12.345");
	expect(formatDuration(7_500_000)).toBe("2 h 5 min");
	expect(formatList(["a", "b", "c"])).toBe("a, b y c");
});

test("a number inside a sentence is written as the language writes it", async () => {
	expect(i18n.t("found", { ns: "findItems", count: 12_345 })).toContain("12,345");
});
