import type { Backend } from "../backend";
import type { Outcome, RunResult } from "../bindings";

/** Behavior that every `Backend` shares. A situation creates what it needs with commands of the backend. */
export interface Situation {
	name: string;
	/** Whether only the app is asked, because the fake backend does not compute this: tests script what they need of it. */
	isAppOnly?: true;
	/** Rejects if the backend behaves otherwise. */
	play: (backend: Backend) => Promise<void>;
}

/** Fails unless a value equals the expected one. Properties that `expected` does not have are ignored. */
export function has(value: unknown, expected: unknown, where = "the value"): void {
	if (typeof expected !== "object" || expected === null) {
		ok(Object.is(value, expected), `${where} is ${text(value)} instead of ${text(expected)}`);
		return;
	}
	ok(typeof value === "object" && value !== null, `${where} is ${text(value)} instead of ${text(expected)}`);
	if (Array.isArray(expected)) {
		has((value as unknown[]).length, expected.length, `the length of ${where}, ${text(value)},`);
	}
	for (const [key, part] of Object.entries(expected)) has((value as never)[key], part, `${where}.${key}`);
}

export function ok(holds: boolean, otherwise: string): asserts holds {
	if (!holds) throw new Error(otherwise);
}

/** Fails unless the promise rejects with a problem. */
export async function refuses(asked: Promise<unknown>, expected: unknown): Promise<void> {
	const [end] = await Promise.allSettled([asked]);
	ok(end.status === "rejected", `it succeeded instead of ${text(expected)}: ${text("value" in end && end.value)}`);
	has(end.reason, expected, "the problem");
}

/** Fails unless the run ends with a problem and an effect on its site. By default, nothing was sent. */
export async function fails(
	asked: Promise<RunResult<unknown>>,
	problem: unknown,
	outcome: Outcome = "notSent",
): Promise<void> {
	has(await asked, { kind: "failed", problem, outcome }, "the end");
}

/** Waits up to 20 seconds until the condition is true. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
	const end = Date.now() + 20_000;
	while (!(await holds())) {
		ok(Date.now() < end, `this does not happen: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

function text(value: unknown): string {
	return JSON.stringify(value) ?? String(value);
}
