import type { ServerUpload } from "@/bridge";

const clock = "(?:[ T,]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d+)?)?(?: ?([AP])\\.? ?M\\.?)?)?";
const zone = "(?: ?(Z|UTC|GMT|[+-]\\d{2}:?\\d{2}))?";

/** 2026-11-03, with or without a time, also with dots or slashes. */
const yearFirst = new RegExp(`^(\\d{4})([-./])(\\d{1,2})\\2(\\d{1,2})${clock}${zone}$`, "i");
/** 20261103140509, 20261103. */
const packed = /^((?:19|20)\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?$/;
/** 03.11.2026, 03/11/2026, 3-11-2026. */
const yearLast = new RegExp(`^(\\d{1,2})([-./])(\\d{1,2})\\2(\\d{4})${clock}${zone}$`, "i");
/** With the name of a month and a four-digit year: `13 November 2026`, `Fri Nov 13 14:05:09 UTC 2026`. */
const named = /^(?=.*\p{L}{3})(?=.*\b\d{4}\b)[\p{L}\d\s,.:+-]+$/u;

/**
 * Returns the time of an upload; `null` if the date is ambiguous, for example `03/11/2026`, or has an unknown format.
 */
export function momentOf(date: string): number | null {
	const text = date.trim();
	if (/^\d{12,13}$/.test(text)) return Number(text);
	// Ten digits are seconds: as milliseconds, they would be in 1970.
	if (/^\d{10}$/.test(text)) return Number(text) * 1000;
	const compact = packed.exec(text);
	if (compact) {
		const [, year, month, day, ...time] = compact;
		return at([year, month, day], time);
	}
	const first = yearFirst.exec(text);
	if (first) {
		const [, year, , month, day, ...rest] = first;
		return at([year, month, day], rest.slice(0, 3), rest[3], rest[4]);
	}
	const last = yearLast.exec(text);
	if (last) {
		const [, one, mark, two, year, ...rest] = last;
		const day = dayFirst(Number(one), Number(two), mark === ".");
		if (day === null) return null;
		return at(day ? [year, two, one] : [year, one, two], rest.slice(0, 3), rest[3], rest[4]);
	}
	const moment = named.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(moment) ? null : moment;
}

/**
 * Sorts uploads, newest first, if every date is unambiguous; otherwise keeps the order of the server. Uploads without a
 * date are last.
 */
export function newestFirst(uploads: readonly ServerUpload[]): ServerUpload[] {
	const dated = uploads.filter(isDated).map((upload) => ({ upload, at: upload.here?.at ?? momentOf(upload.date) }));
	if (dated.some(({ at }) => at === null)) return [...uploads];
	dated.sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
	return [...dated.map(({ upload }) => upload), ...uploads.filter((upload) => !isDated(upload))];
}

function isDated({ date, here }: ServerUpload): boolean {
	return here !== null || date.trim() !== "";
}

/** Whether the first number is the day; `null` if it can be the month, too. Dotted dates always begin with the day. */
function dayFirst(one: number, two: number, isDotted: boolean): boolean | null {
	if (isDotted || one > 12 || one === two) return true;
	return two > 12 ? false : null;
}

type Part = string | undefined;

function at(day: readonly Part[], time: readonly Part[], half?: Part, zone?: Part): number | null {
	const [year = 0, month = 0, date = 0] = day.map(Number);
	const [hour = 0, minute = 0, second = 0] = time.map((part) => Number(part ?? 0));
	const ofDay = half ? (hour % 12) + (half.toUpperCase() === "P" ? 12 : 0) : hour;
	const parts = [year, month - 1, date, ofDay, minute, second] as const;
	const there = new Date(Date.UTC(...parts));
	// `Date` accepts overflows such as month 13 or hour 25; these are no dates.
	const isOne = there.getUTCMonth() === month - 1 && there.getUTCDate() === date && ofDay < 24 && minute < 60;
	if (!isOne) return null;
	if (zone === undefined) return new Date(...parts).getTime();
	const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
	const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000;
	return there.getTime() + (sign === "+" ? -ahead : ahead);
}
