import type { TFunction } from "i18next";
import type { ItemColumn, ItemRow } from "@/bridge";
import { formatDate, formatExactTime } from "@/lib/format";
import { typeName } from "./type-text";

export function cellText(t: TFunction<"findItems">, row: ItemRow, column: ItemColumn): string {
	switch (column) {
		case "type":
			return typeName(t, row.type);
		case "isManaged":
		case "systemManaged":
			return row[column] === null ? t("unsaid") : t(row[column] ? "yes" : "no");
		case "modified":
		case "created":
			return row[column] === null ? t("unsaid") : formatDate(row[column]);
		default:
			return row[column] || t("unsaid");
	}
}

/** Returns the tooltip of a cell: its full text, or the exact time of a date. */
export function cellTitle(text: string, row: ItemRow, column: ItemColumn): string {
	const at = column === "modified" || column === "created" ? row[column] : null;
	return at === null ? text : formatExactTime(at);
}

/**
 * Returns the index of the last folder of a path, which stays visible when the path is shortened; `null` if little
 * precedes it.
 */
export function lastFolderAt(text: string): number | null {
	const at = text.search(/[/\\][^/\\]+[/\\]?$/);
	return at < 4 ? null : at;
}
