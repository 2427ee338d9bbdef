import { expect, it } from "vitest";
import { presetTime } from "./deactivation-log";

const at = (text: string) => new Date(text).getTime();

it("means mornings, and the Monday that comes", () => {
	const thursday = at("2026-11-19T22:40:00");
	expect(presetTime("hour", thursday)).toBe(at("2026-11-19T23:40:00"));
	expect(presetTime("tomorrow", thursday)).toBe(at("2026-11-20T09:00:00"));
	expect(presetTime("twoDays", thursday)).toBe(at("2026-11-21T09:00:00"));
	expect(presetTime("monday", thursday)).toBe(at("2026-11-23T09:00:00"));
	expect(presetTime("monday", at("2026-11-22T08:00:00"))).toBe(at("2026-11-23T09:00:00"));
	expect(presetTime("monday", at("2026-11-23T08:00:00"))).toBe(at("2026-11-30T09:00:00"));
});
