/** The path that holds an item of a data store: what items are found by. */
export function parentPathOf(dataPath: string): string {
	return dataPath.slice(0, dataPath.lastIndexOf("/")) || "/";
}
