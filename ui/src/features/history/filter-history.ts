import type { TFunction } from "i18next";
import type { HistoryEntry, HistoryKey } from "@/bridge";

/** Every word must occur somewhere in the entry, in what is shown or in what was sent. */
export function filterHistory(
	entries: readonly HistoryEntry[],
	search: string,
	t: TFunction<"common">,
	nameOf: (key: HistoryKey) => string,
): HistoryEntry[] {
	const words = search.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return [...entries];
	return entries.filter((entry) => {
		const text = [
			nameOf(entry.operation),
			t(`outcome.${entry.outcome}`),
			entry.siteName,
			entry.username,
			entry.note,
			...entry.parameters.flatMap(({ name, value }) => [name, value]),
		]
			.join(" ")
			.toLowerCase();
		return words.every((word) => text.includes(word));
	});
}
