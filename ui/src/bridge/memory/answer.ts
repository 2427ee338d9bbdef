import type { Backend } from "../backend";

/** Answers a call by what `work` says, or by the problem that stands for this call. */
export type Answer = <T>(call: keyof Backend, work: () => T) => Promise<T>;
