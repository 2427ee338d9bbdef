import type { Backend, Commands } from "../backend";
import type { Problem } from "../bindings";
import { asProblem } from "../problem";

/** Implementation of each command, without the delay and the errors that all of them share. */
export type Doings = {
	[Name in keyof Commands]: (
		...parameters: Parameters<Commands[Name]>
	) => Answered<Awaited<ReturnType<Commands[Name]>>> | Promise<Answered<Awaited<ReturnType<Commands[Name]>>>>;
};

/** Rust commands without a result return `null`. */
type Answered<T> = [T] extends [null] ? undefined | null : T;

export interface Answering {
	/** Problems with which commands reject. Read at each call, so that a test can change them. */
	fail?: Partial<Record<keyof Backend, Problem>>;
	/** Delay of a response, in milliseconds. */
	answerMillis?: number;
}

type Doing = (...parameters: unknown[]) => unknown;

/** Wraps each function. */
export function each<All extends object>(all: All, change: (name: string, doing: Doing) => Doing): All {
	return Object.fromEntries(Object.entries(all).map(([name, doing]) => [name, change(name, doing)])) as All;
}

/** Turns an error into a failed run that sent nothing. */
export function failing(doing: Doing): Doing {
	return async (...parameters) => {
		try {
			return await doing(...parameters);
		} catch (thrown) {
			return { kind: "failed", problem: asProblem(thrown), outcome: "notSent", record: null };
		}
	};
}

/** Turns implementations into commands. */
export function answering<Some extends Partial<Doings>>(
	doings: Some,
	{ fail = {}, answerMillis = 0 }: Answering,
): Pick<Commands, keyof Some & keyof Commands> {
	const commands: unknown = each(doings, (name, doing) => async (...parameters) => {
		await sleep(answerMillis);
		const problem = fail[name as keyof Backend];
		if (problem) throw problem;
		// A copy, because the real backend does not share memory with the window either.
		return structuredClone((await doing(...parameters)) ?? null);
	});
	return commands as Pick<Commands, keyof Some & keyof Commands>;
}

export function sleep(millis: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, millis));
}
