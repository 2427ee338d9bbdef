import { expect, test } from "vitest";
import type { RunStep, RunView } from "@/bridge";
import { memoryBackend } from "@/bridge/memory";
import { RunStore } from "./run-store";

function running(step: RunStep): RunView {
	return {
		id: "1",
		site: "a",
		siteName: "City GIS",
		operation: "export_portal",
		act: null,
		startedAt: 0,
		step,
		usual: null,
	};
}

test("a screen is drawn again when its run has come further, and not when another one has", () => {
	let tell: (runs: readonly RunView[]) => void = () => {};
	const backend = memoryBackend();
	backend.onRuns = (listener) => {
		tell = (runs) => listener([...runs], []);
		return () => {};
	};
	const store = new RunStore(backend, () => {});
	store.listen();
	const state = () => store.state("export_portal", "a");

	tell([running({ kind: "downloading", done: 1, total: 9 })]);
	const before = state();
	tell([running({ kind: "downloading", done: 1, total: 9 }), { ...running({ kind: "waiting" }), id: "2", site: "b" }]);
	expect(state()).toBe(before);

	tell([running({ kind: "downloading", done: 2, total: 9 })]);
	expect(state()).toMatchObject({ step: { done: 2 } });
});
