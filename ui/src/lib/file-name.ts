/** Returns the last part of a path, with either separator. */
export function fileName(path: string): string {
	return path.split(/[\\/]/).at(-1) ?? "";
}

/** Returns a path without its last part. */
export function folderOf(path: string): string {
	return path.replace(/[\\/][^\\/]*$/, "");
}
