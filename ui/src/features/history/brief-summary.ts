import type { TFunction } from "i18next";
import type { HistoryEntry, NotePart } from "@/bridge";
import { type EntryContent, entryText } from "@/lib/summary-text";

/** Replaces an HTML page in a response by its title or text. The details show the response unchanged. */
function withoutPage(response: string): string {
	const [, status = "", page = ""] = /^([\w :]*)(<[!?a-z].*)$/is.exec(response) ?? [];
	if (page === "") return response;
	const title = /<title[^>]*>([^<]*[^<\s])/i.exec(page)?.[1];
	const words = page.replace(/<(script|style)\b.*?(?:<\/\1>|$)|<[^>]*(?:>|$)/gis, " ");
	return status + (title ?? words).replace(/\s+/g, " ").trim();
}

/** Returns the full summary for a tooltip, with HTML pages shortened. */
export function withoutPages(t: TFunction<"common">, entry: EntryContent): string {
	return entryText(t, entry, (part) => (part.kind === "response" ? { ...part, text: withoutPage(part.text) } : part));
}

/**
 * Returns the summary for a narrow column: file names instead of paths, URLs without scheme, uploads without ID. The
 * tooltip and the details have the full text.
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

/** Appends the reason to the summary, unless its note already contains it, for example after an unlock. */
export function withReason(
	summary: string,
	{ reason, noteParts = [] }: Pick<HistoryEntry, "reason"> & Partial<EntryContent>,
): string {
	return reason === "" || noteParts.some(({ text }) => text === reason)
		? summary
		: [summary, reason].filter((one) => one !== "").join(" · ");
}
