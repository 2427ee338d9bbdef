// The names of the contract for everyone outside the bridge. Values that tauri-specta generates stay behind it.
export type * from "./bindings";
export { muchSmaller, operations, redirectAddresses, trailKinds, webAppUrl } from "./bindings";
