import { useEffect, useState } from "react";
import type { Bytes, Millis, SiteView, TimeOfDay } from "@/bridge";
import { i18n } from "@/messages/i18n";
import { isolated } from "@/messages/isolated";
import { localeFor, localeOfDates } from "@/messages/locale";

/**
 * Today only the time of day, within seven days with the day, otherwise with the year: "2:05 PM", "Nov 19, 2:05 PM",
 * "Oct 14, 2026, 2:05 PM". 24-hour regions write "14:05".
 */
export function formatTime(at: Millis, now: Millis = Date.now()): string {
	const days = Math.abs(daysApart(at, now));
	if (days === 0) return formatTimeOfDay(at);
	if (days > 7) return formatDateTime(at);
	return dateFormat({ ...timeOfDay(), day: "numeric", month: "short" }).format(new Date(at));
}

/** "14:05", "2:05 PM". */
export function formatTimeOfDay(at: Millis): string {
	return dateFormat(timeOfDay()).format(new Date(at));
}

/**
 * "Thursday, November 19, 2026". As a heading it begins with a capital, also in languages that write weekdays in lower
 * case.
 */
export function formatFullDate(at: Millis): string {
	const day = dateFormat({ dateStyle: "full" }).format(new Date(at));
	return day.charAt(0).toLocaleUpperCase(locale()) + day.slice(1);
}

/** Returns the number of calendar days between two times: 11 PM yesterday is one day ago at 8 AM. */
function daysApart(at: Millis, now: Millis): number {
	const midnight = (moment: Millis) => new Date(moment).setHours(0, 0, 0, 0);
	return Math.round((midnight(at) - midnight(now)) / 86_400_000);
}

/** "today", "yesterday"; `null` for days further away. */
export function formatDayAgo(at: Millis, now: Millis = Date.now()): string | null {
	const days = daysApart(at, now);
	return Math.abs(days) > 1 ? null : new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(days, "day");
}

/** For a table: "Today 2:41 AM", "Nov 25, 2:55 AM" within seven days, "Oct 14, 2026" beyond. */
export function formatWhen(at: Millis, now: Millis = Date.now()): string {
	const days = daysApart(at, now);
	if (Math.abs(days) > 7) return formatDate(at);
	const today = days === 0 ? formatDayAgo(at, now) : null;
	if (today === null) return dateFormat({ ...timeOfDay(), day: "numeric", month: "short" }).format(new Date(at));
	return `${today.charAt(0).toLocaleUpperCase(locale())}${today.slice(1)} ${formatTimeOfDay(at)}`;
}

/** In a sentence: "today 2:41 AM", "Nov 25, 2:55 AM" within seven days, "Oct 14, 2026" beyond. */
export function formatUpTo(at: Millis, now: Millis = Date.now()): string {
	return daysApart(at, now) === 0 ? `${formatDayAgo(at, now)} ${formatTimeOfDay(at)}` : formatWhen(at, now);
}

/** "November 19, 2026". */
export function formatDay(at: Millis): string {
	return dateFormat({ dateStyle: "long" }).format(new Date(at));
}

/** "Nov 19, 2026": for a column of days. */
export function formatDate(at: Millis): string {
	return dateFormat({ dateStyle: "medium" }).format(new Date(at));
}

/** Full date with seconds and time zone, for tooltips. */
export function formatExactTime(at: Millis): string {
	const day: Intl.DateTimeFormatOptions = { weekday: "long", year: "numeric", month: "long", day: "numeric" };
	return dateFormat({ ...day, ...timeOfDay(), second: "2-digit", timeZoneName: "short" }).format(new Date(at));
}

/** "Nov 19, 2026, 2:05 PM UTC": for what ends at one moment everywhere. */
export function formatUtc(at: Millis): string {
	const day: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", year: "numeric" };
	return `${dateFormat({ ...timeOfDay(), ...day, timeZone: "UTC" }).format(new Date(at))}\u00a0UTC`;
}

/** "Dec 5, 2026": for a day such as `2026-12-05`, in whatever time zone. */
export function formatCivilDay(day: string): string {
	return dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

/** "in 9 days", "tomorrow", "3 days ago". */
export function formatDaysAway(days: number): string {
	return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(days, "day");
}

/** "Nov 19, 2026, 2:05 PM": always with the year. */
export function formatDateTime(at: Millis): string {
	return dateFormat({ ...timeOfDay(), day: "numeric", month: "short", year: "numeric" }).format(new Date(at));
}

/** "Nov 19, 2026, 2:05:07 PM": with seconds. */
export function formatMoment(at: Millis): string {
	return dateFormat({ dateStyle: "medium", timeStyle: "medium" }).format(new Date(at));
}

/** "Sat, Nov 28, 2026, 2:30 AM": next run of a schedule, which depends on the weekday. */
export function formatRun(at: Millis): string {
	return dateFormat({ ...timeOfDay(), weekday: "short", day: "numeric", month: "short", year: "numeric" }).format(
		new Date(at),
	);
}

/** Returns the weekdays in the order of the region, 0 for Monday. */
export function weekFromItsFirstDay(): readonly number[] {
	const first = (firstDayOfWeek() + 6) % 7;
	return [0, 1, 2, 3, 4, 5, 6].map((place) => (place + first) % 7);
}

/** "Mon": short name of a weekday, 0 for Monday. */
export function formatWeekdayName(place: number): string {
	// January 1, 2024 was a Monday.
	return new Intl.DateTimeFormat(locale(), { weekday: "short" }).format(new Date(2024, 0, 1 + place));
}

/** "Thursday 2:05 PM": for times within the week. */
export function formatWeekday(at: Millis): string {
	return dateFormat({ weekday: "long", ...timeOfDay() }).format(new Date(at));
}

/** "3 days ago", "in 2 hours", "just now". */
export function formatAgo(at: Millis, now: Millis = Date.now()): string {
	const relative = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
	const minutes = Math.round((at - now) / 60_000);
	// "This minute" could also mean the future.
	if (minutes === 0 && at <= now) return i18n.t("justNow");
	if (Math.abs(minutes) < 60) return relative.format(minutes, "minute");
	const hours = Math.round(minutes / 60);
	if (Math.abs(hours) < 24) return relative.format(hours, "hour");
	return relative.format(daysApart(at, now), "day");
}

/** "14 min 12 s", "2 h 5 min", "0.4 s", "14 days". */
export function formatDuration(millis: number): string {
	// A duration is never shown as zero.
	if (millis < 1_000) return unit(Math.max(100, millis) / 1_000, "second", 1);
	const seconds = Math.floor(millis / 1_000);
	if (seconds < 60) return unit(seconds, "second");
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return join(unit(minutes, "minute"), seconds % 60 ? unit(seconds % 60, "second") : null);
	const hours = Math.floor(minutes / 60);
	if (hours < 100) return join(unit(hours, "hour"), minutes % 60 ? unit(minutes % 60, "minute") : null);
	return unit(Math.floor(hours / 24), "day");
}

/** "59 min", "9 h 59 min": remaining time in whole minutes, at least one. */
export function formatLeft(millis: number): string {
	return formatDuration(millis < 60_000 ? 60_000 : millis - (millis % 60_000));
}

/** "12 ms", "−3 s", "2 h 5 min": a difference, which can be zero or negative. */
export function formatSpan(millis: number): string {
	const length = Math.abs(millis);
	return (millis < 0 ? "−" : "") + (length < 1_000 ? unit(length, "millisecond") : formatDuration(length));
}

/** "0:42", "12:04", "1:02:03": elapsed time with leading zeros, so that its width stays the same. */
export function formatClock(millis: number): string {
	const seconds = Math.max(0, Math.floor(millis / 1_000));
	const two = (n: number) => String(n).padStart(2, "0");
	const hours = Math.floor(seconds / 3_600);
	const minutes = Math.floor(seconds / 60) % 60;
	return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/**
 * "950 bytes", "42.5 kB", "214.6 MB", "1.24 GB", "1.8 TB". Below 10 GB, gigabytes have two decimals, so that exports of
 * similar size differ.
 */
export function formatSize(bytes: Bytes): string {
	if (bytes < 1_000) return size(bytes, "byte", 0);
	if (bytes < 100_000) return size(bytes / 1_000, "kilobyte", 1);
	if (bytes < 999_950_000) return size(bytes / 1_000_000, "megabyte", 1);
	if (bytes < 9_995_000_000) return size(bytes / 1_000_000_000, "gigabyte", 2);
	if (bytes < 999_950_000_000) return size(bytes / 1_000_000_000, "gigabyte", 1);
	return size(bytes / 1_000_000_000_000, "terabyte", 1);
}

function size(value: number, name: string, digits: number): string {
	return new Intl.NumberFormat(locale(), {
		style: "unit",
		unit: name,
		unitDisplay: name === "byte" ? "long" : "short",
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
	})
		.format(value)
		.replace(" ", "\u00a0");
}

/** "125 %", "125%". `share`: 1 for 100 %. */
export function formatPercent(share: number): string {
	return new Intl.NumberFormat(locale(), { style: "percent" }).format(share);
}

export function formatNumber(n: number): string {
	return new Intl.NumberFormat(locale()).format(n);
}

/** "a, b, and c", with each part isolated from the text direction of the others. */
export function formatList(words: readonly string[]): string {
	return new Intl.ListFormat(locale(), { type: "conjunction" }).format(words.map(isolated));
}

/** "09:05" on a 24-hour clock, "9:05 AM" on a 12-hour clock. */
function timeOfDay(): Intl.DateTimeFormatOptions {
	return { hour: hasTwiceTwelveHours() ? "numeric" : "2-digit", minute: "2-digit" };
}

function hasTwiceTwelveHours(): boolean {
	return dateFormat({ hour: "numeric" }).resolvedOptions().hour12 ?? false;
}

/** "02:30", "2:30 AM": a time of day without a date. */
export function formatClockTime({ hour, minute }: TimeOfDay): string {
	// On January 1, no region changes its clocks, so that every time of day exists.
	return formatTimeOfDay(new Date(2024, 0, 1, hour, minute).getTime());
}

/** Clock format of time fields in this region. */
export function hoursOfClock(): "12h" | "24h" {
	return hasTwiceTwelveHours() ? "12h" : "24h";
}

/** Date pattern of a date field, in dayjs tokens: "Nov 19", "19 Nov". */
export function dayPattern(): string {
	const order = dateFormat({ day: "numeric", month: "short" })
		.formatToParts(0)
		.map(({ type }) => type);
	return order.indexOf("month") < order.indexOf("day") ? "MMM D" : "D MMM";
}

/** Pattern of a field with date and time: "Nov 19, 2026, 2:05 PM", "19 Nov 2026, 14:05". */
export function momentPattern(): string {
	const day = dayPattern();
	const year = day.startsWith("M") ? ", YYYY" : " YYYY";
	return `${day}${year}, ${hasTwiceTwelveHours() ? "h:mm A" : "HH:mm"}`;
}

/** First day of the week, 0 for Sunday as calendars count it; Monday if the system does not report one. */
export function firstDayOfWeek(): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
	const region: Intl.Locale & WithWeeks = new Intl.Locale(localeOfDates(i18n.language));
	const { firstDay } = region.getWeekInfo?.() ?? region.weekInfo ?? { firstDay: 1 };
	return (firstDay % 7) as ReturnType<typeof firstDayOfWeek>;
}

/** Week data of `Intl.Locale`: a property in older web views, a function in newer ones. 7 is Sunday. */
interface WithWeeks {
	getWeekInfo?: () => { firstDay: number };
	weekInfo?: { firstDay: number };
}

function locale(): string {
	return localeFor(i18n.language);
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached format: creating one takes about a millisecond, and a table needs two for each row. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
	const locale = localeOfDates(i18n.language);
	const name = locale + JSON.stringify(options);
	const made = dateFormats.get(name) ?? new Intl.DateTimeFormat(locale, options);
	dateFormats.set(name, made);
	return made;
}

const displays: Record<string, "short" | "long"> = { minute: "short", day: "long" };

function unit(value: number, name: string, digits = 0): string {
	// The language without its region: British English would write "14 mins".
	return new Intl.NumberFormat(i18n.language, {
		style: "unit",
		unit: name,
		unitDisplay: displays[name] ?? "narrow",
		maximumFractionDigits: digits,
	})
		.format(value)
		.replace(/^([\d.,]+)(?=[a-z])/i, "$1 ");
}

function join(first: string, second: string | null): string {
	return second ? `${first} ${second}` : first;
}

/**
 * Returns the host of an address, with or without a scheme, for comparison; empty if it is not a URL. Ports are
 * ignored.
 */
export function hostOf(address: string): string {
	return parsed(address)?.hostname ?? "";
}

/** Returns host and port of an address, for display; empty if it is not a URL. */
export function hostAndPortOf(address: string): string {
	return parsed(address)?.host ?? "";
}

/** Returns host, port, and path of an address: sites behind one host differ only by their paths. */
export function hostAndPathOf(address: string): string {
	const url = parsed(address);
	return url ? `${url.host}${url.pathname.replace(/\/+$/, "")}` : "";
}

/** Parses an address, with or without a scheme. The result has its host in lower case; `null` if it is not a URL. */
function parsed(address: string): URL | null {
	const text = address.trim();
	return URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
}

export function isThisComputer(address: string): boolean {
	return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostOf(address));
}

/** Whether the site runs on this computer. Only then can it use folders of this computer. */
export function isLocal(site: Pick<SiteView, "portal" | "server">): boolean {
	const address = site.portal ?? site.server;
	return address !== null && isThisComputer(address);
}

/** Returns the current time, updated every `every` milliseconds. */
export function useNow(every: number): Millis {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), every);
		return () => clearInterval(timer);
	}, [every]);
	return now;
}

/** Returns the parent path of a data store item, the value that an item search takes. */
export function parentPathOf(dataPath: string): string {
	return dataPath.slice(0, dataPath.lastIndexOf("/")) || "/";
}

/** Returns the last part of a path, with either separator. */
export function fileName(path: string): string {
	return path.split(/[\\/]/).at(-1) ?? "";
}

/** Returns a path without its last part. */
export function folderOf(path: string): string {
	return path.replace(/[\\/][^\\/]*$/, "");
}
