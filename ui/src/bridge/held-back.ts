import type { Backend } from "./backend";

/** Functions that the first screen needs. */
const first: ReadonlySet<string> = new Set<keyof Backend>([
	"preferences",
	"listSites",
	"session",
	"setTitle",
	"startProblem",
	"resolveStart",
	"quitStart",
	"windowHasContent",
	"windowReady",
	"windowUsable",
]);

type Ask = (...parameters: unknown[]) => Promise<unknown>;
type Listen = (listener: unknown) => () => void;

/** Delays all functions that the first screen does not need until `until` resolves. Calls are queued, not lost. */
export function heldBack(backend: Backend, until: Promise<void>): Backend {
	const late = (name: string, act: unknown) => {
		if (first.has(name)) return act;
		return name.startsWith("on") ? lateListener(act as Listen, until) : lateQuestion(act as Ask, until);
	};
	return Object.fromEntries(
		Object.entries(backend).map(([name, act]) => [name, late(name, act)]),
	) as unknown as Backend;
}

function lateQuestion(ask: Ask, until: Promise<void>): Ask {
	return async (...parameters) => {
		await until;
		return ask(...parameters);
	};
}

function lateListener(listen: Listen, until: Promise<void>): Listen {
	return (listener) => {
		let stop: () => void = () => {};
		let left = false;
		void until.then(() => {
			if (!left) stop = listen(listener);
		});
		return () => {
			left = true;
			stop();
		};
	};
}
