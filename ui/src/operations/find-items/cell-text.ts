import type { TFunction } from "i18next";
import type { ItemColumn, ItemRow } from "@/bridge";
import { formatDate, formatExactTime } from "@/lib/format";
import { typeName } from "./type-text";

/** What stands in a cell. */
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

/** What is shown on hover of a cell with this text: it may be too narrow, and a day is not a moment. */
export function cellTitle(text: string, row: ItemRow, column: ItemColumn): string {
	const at = column === "modified" || column === "created" ? row[column] : null;
	return at === null ? text : formatExactTime(at);
}

/** Where the last folder of a path begins, which tells one from the next; `null` where there is little before it. */
export function lastFolderAt(text: string): number | null {
	const at = text.search(/[/\\][^/\\]+[/\\]?$/);
	return at < 4 ? null : at;
}
