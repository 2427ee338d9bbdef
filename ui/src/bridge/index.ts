export type { Backend } from "./backend";
export { BackendProvider, useBackend } from "./context";
export { newRun } from "./new-run";
export { asProblem } from "./problem";
export * from "./types";
