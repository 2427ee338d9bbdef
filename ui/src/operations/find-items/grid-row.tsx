import type { TFunction } from "i18next";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { ItemColumn, ItemRow } from "@/bridge";
import { formatDate, formatExactTime } from "@/lib/format";
import { typeName } from "./checks";
import classes from "./item-grid.module.css";

export const rowHeight = 32;

/** Plain elements: hundreds of cells are rendered at once, and Mantine components process style properties first. */
const Plain = "div";

interface GridRowProps {
	/** `null` while the row is loading. */
	row: ItemRow | null;
	index: number;
	/** Distance from the top, in pixels. */
	start: number;
	columns: readonly ItemColumn[];
	takesFocus: boolean;
}

/** Returns the index of the row that contains an event target. */
export function rowOf(target: EventTarget): number | null {
	const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
	return row ? Number(row.dataset.index) : null;
}

/** Memoized, because each key press in the search field would render dozens of rows. */
export const GridRow = memo(function GridRow({ row, index, start, columns, takesFocus }: GridRowProps) {
	const { t } = useTranslation("findItems");
	return (
		<Plain
			className={`${classes.row} ${classes.item}`}
			role="row"
			aria-rowindex={index + 2}
			aria-busy={row === null}
			data-index={index}
			style={{ height: rowHeight, transform: `translateY(${start}px)` }}
			tabIndex={takesFocus ? 0 : -1}
		>
			{columns.map((column, place) => {
				const text = row ? cellText(t, row, column) : "";
				const title = row ? cellTitle(text, row, column) : undefined;
				const end = column === "location" || column === "path" ? lastFolderAt(text) : null;
				const cell = { role: "gridcell", "aria-colindex": place + 1, title };
				if (end === null) {
					return (
						<Plain key={column} className={classes.cell ?? ""} {...cell}>
							{text}
						</Plain>
					);
				}
				return (
					<Plain key={column} className={`${classes.cell} ${classes.parted}`} {...cell} aria-label={text}>
						<span className={classes.start}>{text.slice(0, end)}</span>
						<span className={classes.end}>{text.slice(end)}</span>
					</Plain>
				);
			})}
		</Plain>
	);
});

function cellText(t: TFunction<"findItems">, row: ItemRow, column: ItemColumn): string {
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
function cellTitle(text: string, row: ItemRow, column: ItemColumn): string {
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
