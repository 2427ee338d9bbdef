/** Returns the parent path of a data store item, the value that an item search takes. */
export function parentPathOf(dataPath: string): string {
	return dataPath.slice(0, dataPath.lastIndexOf("/")) || "/";
}
