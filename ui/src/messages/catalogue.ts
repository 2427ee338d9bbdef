export type Catalogue = Record<string, object>;

/** Returns message files by namespace. The name of a file is its namespace in kebab case. */
export function catalogue(files: Record<string, object>): Catalogue {
	return Object.fromEntries(Object.entries(files).map(([path, texts]) => [namespace(path), texts]));
}

function namespace(path: string): string {
	const name = path.slice(path.lastIndexOf("/") + 1, -".json".length);
	return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
