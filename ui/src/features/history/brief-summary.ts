import type { TFunction } from "i18next";
import type { HistoryEntry, NotePart } from "@/bridge";
import { type EntryContent, entryText } from "@/lib/summary-text";

/** Of a page in place of a response, its title or else its words; the details have it as it came. */
function withoutPage(response: string): string {
	const [, status = "", page = ""] = /^([\w :]*)(<[!?a-z].*)$/is.exec(response) ?? [];
	if (page === "") return response;
	const title = /<title[^>]*>([^<]*[^<\s])/i.exec(page)?.[1];
	const words = page.replace(/<(script|style)\b.*?(?:<\/\1>|$)|<[^>]*(?:>|$)/gis, " ");
	return status + (title ?? words).replace(/\s+/g, " ").trim();
}

/** The summary for a tooltip: the whole, without pages. */
export function withoutPages(t: TFunction<"common">, entry: EntryContent): string {
	return entryText(t, entry, (part) => (part.kind === "response" ? { ...part, text: withoutPage(part.text) } : part));
}

/**
 * The summary for a narrow column: of paths the file's name, of URLs no scheme, and no identifier of an upload behind
 * its name. Beside the operation and its outcome, this is enough; the tooltip and the details have the whole.
 */
export function briefly(t: TFunction<"common">, entry: EntryContent): string {
	return entryText(t, entry, briefPart).replace(/\bhttps?:\/\//g, "");
}

function briefPart(part: NotePart): NotePart {
	switch (part.kind) {
		case "path":
			return { ...part, text: part.text.replace(/^.*[/\\](?=[^/\\])/, "") };
		case "upload":
			return part.text === "" ? part : { ...part, upload: null };
		case "response":
			return { ...part, text: withoutPage(part.text) };
		default:
			return part;
	}
}

/** The summary with the reason behind it, unless its note is the reason, as that of an unlock is. */
export function withReason(
	summary: string,
	{ reason, noteParts = [] }: Pick<HistoryEntry, "reason"> & Partial<EntryContent>,
): string {
	return reason === "" || noteParts.some(({ text }) => text === reason)
		? summary
		: [summary, reason].filter((one) => one !== "").join(" · ");
}
