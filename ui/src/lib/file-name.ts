/** The last part of a path, of whichever system it is. */
export function fileName(path: string): string {
	return path.split(/[\\/]/).at(-1) ?? "";
}

/** What precedes it. */
export function folderOf(path: string): string {
	return path.replace(/[\\/][^\\/]*$/, "");
}
