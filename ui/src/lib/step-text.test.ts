import type { RunStep } from "@/bridge";
import { announced } from "./step-text";

test.each<[string, RunStep[], number]>([
	[
		"a download of a known length",
		[1, 2, 3, 24, 26, 27, 49].map((done) => ({ kind: "downloading", done, total: 100 })),
		2,
	],
	[
		"a download of an unknown length",
		[1, 2_000, 99_000_000].map((done) => ({ kind: "downloading", done, total: null })),
		1,
	],
	["an upload to its end", [74, 75, 80, 99, 100].map((done) => ({ kind: "uploading", done, total: 100 })), 3],
	["five hundred contacts", [1, 2, 3, 124].map((done) => ({ kind: "batch", done, total: 500 })), 1],
	["three services", [0, 1, 2, 3].map((done) => ({ kind: "services", done, total: 3 })), 4],
	["an empty file", [0, 0].map((done) => ({ kind: "uploading", done, total: 0 })), 1],
])("%s is announced at its quarters, and not at each byte", (_, steps, times) => {
	expect(new Set(steps.map((step) => JSON.stringify(announced(step)))).size).toBe(times);
});
