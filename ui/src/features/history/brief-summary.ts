/** A gateway answers with a page: here its title is enough, or else its words. The details have it as it came. */
export function withoutPages(note: string): string {
	return note.replace(/(HTTP \d+:) (<[!?a-z].*?)(?= · |$)/gis, (_, status: string, page: string) => {
		const title = /<title[^>]*>([^<]*[^<\s])/i.exec(page)?.[1];
		const words = page.replace(/<(script|style)\b.*?(?:<\/\1>|$)|<[^>]*(?:>|$)/gis, " ");
		return `${status} ${(title ?? words).replace(/\s+/g, " ").trim()}`;
	});
}

/**
 * The summary for a narrow column: of paths the file's name, of URLs no scheme, and no identifier of an upload behind
 * its name. Beside the operation and its outcome, this is enough; the tooltip and the details have the whole.
 */
export function briefly(summary: string): string {
	return withoutPages(summary)
		.split(" · ")
		.map((part) => (/^(\/|\\\\|[a-z]:\\)/i.test(part) ? part.replace(/^.*[/\\](?=[^/\\])/, "") : part))
		.map((part) => part.replace(/\bhttps?:\/\//g, "").replace(/(\.\w+site) \([^() ]+\)$/i, "$1"))
		.join(" · ");
}
