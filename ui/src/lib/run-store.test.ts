import { expect, test, vi } from "vitest";
import type { EndedRun, RunStep, RunsNow, RunView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { RunStore } from "./runs";

function running(step: RunStep): RunView {
	return {
		id: "1",
		site: "a",
		server: null,
		serverName: null,
		siteName: "City GIS",
		operation: "export_portal",
		act: null,
		isUndo: false,
		startedAt: 0,
		step,
		sent: false,
		usual: null,
	};
}

/** Returns a store and a function that sends it an event of the backend. */
function listening() {
	let tell: (now: RunsNow) => void = () => {};
	const backend = fakeBackend();
	backend.onRuns = (listener) => {
		tell = listener;
		return () => {};
	};
	backend.listRuns = () => new Promise(() => {});
	const settled = vi.fn();
	const store = new RunStore(backend, settled, () => "gisadmin");
	store.listen();
	return { store, settled, tell: (now: RunsNow) => tell(now) };
}

test("a screen is drawn again when its run has come further, and not when another one has", () => {
	const { store, tell: say } = listening();
	let revision = 0;
	const tell = (now: RunView[]) => say({ revision: ++revision, running: now, ended: [] });
	const state = () => store.state("export_portal", { site: "a", server: null });

	tell([running({ kind: "downloading", done: 1, total: 9 })]);
	const before = state();
	tell([running({ kind: "downloading", done: 1, total: 9 }), { ...running({ kind: "waiting" }), id: "2", site: "b" }]);
	expect(state()).toBe(before);

	tell([running({ kind: "downloading", done: 2, total: 9 })]);
	expect(state()).toMatchObject({ step: { done: 2 } });
});

const ended: EndedRun = {
	id: "1",
	site: "a",
	server: null,
	serverName: null,
	siteName: "City GIS",
	operation: "export_portal",
	act: null,
	isUndo: false,
	outcome: "succeeded",
	record: "r-1",
	endedAt: 9,
	took: 9,
};

test("what the program said earlier and arrives later brings no ended run back", () => {
	const { store, tell } = listening();
	tell({ revision: 3, running: [], ended: [ended] });
	tell({ revision: 2, running: [running({ kind: "waiting" })], ended: [] });
	expect(store.runs()).toEqual([]);
	expect(store.ended()).toEqual([ended]);
	expect(store.state("export_portal", { site: "a", server: null })).toEqual({ kind: "idle" });
});

test("a run of whose beginning nothing was heard has an end all the same", () => {
	const { settled, tell } = listening();
	tell({ revision: 1, running: [], ended: [] });
	tell({ revision: 3, running: [], ended: [ended] });
	expect(settled).toHaveBeenCalledTimes(1);
	expect(settled).toHaveBeenCalledWith(ended, null);
});

test("what had ended before the window was opened is no news", () => {
	const { store, settled, tell } = listening();
	tell({ revision: 5, running: [], ended: [ended] });
	expect(store.ended()).toEqual([ended]);
	expect(settled).not.toHaveBeenCalled();
});
