/** Whether a version as the site writes it, "10.9.1", comes before a release. An unknown version forbids nothing. */
export function isOlder(version: string | null, [major, minor]: readonly [number, number]): boolean {
	if (version === null) return false;
	const [first = 0, second = 0] = version.split(".").map(Number);
	return first < major || (first === major && second < minor);
}
