import type { SetPart, SetView } from "@/bridge";

/** Whether every entry of the export of a part was read. */
export const isVerified = ({ state }: Pick<SetPart, "state">) => state.kind === "verifiedHere";

/** Returns the export file of a part, if it is in the folder of the set. */
export const exportOf = ({ files }: SetPart) => files.find(({ name }) => name.endsWith(".agssite"));

/** Returns the parts of a set whose files can be verified again. */
export function verifiable({ set: { parts, ended } }: SetView): SetPart[] {
	return ended === null ? [] : parts.filter((part) => part.server !== null && exportOf(part) !== undefined);
}
