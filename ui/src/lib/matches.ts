/** Whether each word of a search occurs in one of the texts. */
export function matches(search: string, ...texts: readonly string[]): boolean {
	const whole = texts.join(" ").toLowerCase();
	return search
		.toLowerCase()
		.split(/\s+/)
		.every((word) => whole.includes(word));
}
