import type { SetFile, SetPart, SetView } from "@/bridge";

/** Whether every entry of the export of a part was read. */
export const isVerified = ({ state }: Pick<SetPart, "state">) => state.kind === "verifiedHere";

/** Whether the site warned of something when it wrote the export. */
export const isWarned = ({ warnings }: Pick<SetPart, "warnings">) => warnings != null;

/**
 * Returns the export file of a part as it was read on this computer. Its folder is `null` if that is the folder of the set; the
 * file of a portal stays where the portal wrote it.
 */
export function exportOf({ files, portalFile }: SetPart): (SetFile & { folder: string | null }) | null {
	const file = files.find(({ name }) => name.endsWith(".agssite"));
	return file ? { ...file, folder: null } : portalFile;
}

/** Returns the parts of a set whose files can be verified again. */
export function verifiable({ set: { parts, ended } }: SetView): SetPart[] {
	return ended === null ? [] : parts.filter((part) => exportOf(part) !== null);
}
