export type { Backend } from "./backend";
export { BackendProvider, useBackend } from "./context";
export { asProblem } from "./problem";
export * from "./types";
