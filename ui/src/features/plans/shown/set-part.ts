import type { SetFile, SetPart, SetView } from "@/bridge";

/** Whether every entry of the export was read. */
export const isVerified = ({ state }: Pick<SetPart, "state">) => state.kind === "verifiedHere";

export const isWarned = ({ warnings }: Pick<SetPart, "warnings">) => warnings != null;

/**
 * Returns the export file of a part on this computer. `folder` is `null` for the folder of the set; the file of a
 * portal stays where the portal wrote it.
 */
export function exportOf({ files, portalFile }: SetPart): (SetFile & { folder: string | null }) | null {
	const file = files.find(({ name }) => name.endsWith(".agssite"));
	return file ? { ...file, folder: null } : portalFile;
}

export function verifiable({ set: { parts, ended } }: SetView): SetPart[] {
	return ended === null ? [] : parts.filter((part) => exportOf(part) !== null);
}
