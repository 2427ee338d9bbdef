import type { Backend, Commands } from "../backend";
import type { Problem } from "../bindings";
import { asProblem } from "../problem";

/** What each command does. That it takes its time, and can fail, is the same for all. */
export type Doings = {
	[Name in keyof Commands]: (
		...parameters: Parameters<Commands[Name]>
	) => Answered<Awaited<ReturnType<Commands[Name]>>> | Promise<Answered<Awaited<ReturnType<Commands[Name]>>>>;
};

/** A command that returns nothing answers the window with `null`. */
type Answered<T> = [T] extends [null] ? undefined | null : T;

export interface Answering {
	/** Calls that reject with this problem, for as long as they stand here. */
	fail?: Partial<Record<keyof Backend, Problem>>;
	/** How long an ordinary answer takes. */
	answerMillis?: number;
}

type Doing = (...parameters: unknown[]) => unknown;

/** Does something before or after each of them. */
export function each<All extends object>(all: All, change: (name: string, doing: Doing) => Doing): All {
	return Object.fromEntries(Object.entries(all).map(([name, doing]) => [name, change(name, doing)])) as All;
}

/** Says a problem as the end of a run that had sent nothing. */
export function failing(doing: Doing): Doing {
	return async (...parameters) => {
		try {
			return await doing(...parameters);
		} catch (thrown) {
			return { kind: "failed", problem: asProblem(thrown), outcome: "notSent", record: null };
		}
	};
}

/** Makes commands of what they do. */
export function answering<Some extends Partial<Doings>>(
	doings: Some,
	{ fail = {}, answerMillis = 0 }: Answering,
): Pick<Commands, keyof Some & keyof Commands> {
	const commands: unknown = each(doings, (name, doing) => async (...parameters) => {
		await sleep(answerMillis);
		const problem = fail[name as keyof Backend];
		if (problem) throw problem;
		// A copy, because the real program cannot share its memory with the window either.
		return structuredClone((await doing(...parameters)) ?? null);
	});
	return commands as Pick<Commands, keyof Some & keyof Commands>;
}

export function sleep(millis: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, millis));
}
