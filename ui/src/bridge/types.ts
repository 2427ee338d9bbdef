// Names of the contract for code outside the bridge. Other generated values stay inside.
export type * from "./bindings";
export { muchSmaller, operations, redirectAddresses, trailKinds, webAppUrl } from "./bindings";
