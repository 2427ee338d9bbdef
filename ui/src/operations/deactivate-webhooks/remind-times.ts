import type { Millis } from "@/bridge";

export const presets = ["hour", "tomorrow", "twoDays", "monday"] as const;
type Preset = (typeof presets)[number];

const morning = 9;

/** Returns the time of a preset, in local time. */
export function presetTime(preset: Preset, now: Millis): Millis {
	if (preset === "hour") return now + 3_600_000;
	const date = new Date(now);
	// Next Monday; on a Monday, the one a week later.
	const days = { tomorrow: 1, twoDays: 2, monday: (8 - date.getDay()) % 7 || 7 }[preset];
	date.setDate(date.getDate() + days);
	date.setHours(morning, 0, 0, 0);
	return date.getTime();
}
