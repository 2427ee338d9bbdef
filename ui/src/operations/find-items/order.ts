import type { DataItem } from "@/bridge";

export const columns = ["name", "type", "path", "provider", "isManaged", "modified"] as const;
export type Column = (typeof columns)[number];

export interface Order {
	column: Column;
	descending: boolean;
}

const texts = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

export function filtered(items: readonly DataItem[], words: string): readonly DataItem[] {
	const wanted = words.trim().toLowerCase();
	if (wanted === "") return items;
	return items.filter(({ name, type, path, provider, id }) =>
		[name, type, path, provider, id].some((text) => text.toLowerCase().includes(wanted)),
	);
}

/** What a site does not say comes last in either direction. */
export function sorted(items: readonly DataItem[], { column, descending }: Order): DataItem[] {
	const direction = descending ? -1 : 1;
	return [...items].sort((one, other) => {
		const [a, b] = [one[column], other[column]];
		const unsaid = Number(a === null || a === "") - Number(b === null || b === "");
		if (unsaid !== 0) return unsaid;
		const ahead = typeof a === "string" && typeof b === "string" ? texts.compare(a, b) : Number(a) - Number(b);
		return ahead * direction;
	});
}
