import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { ItemColumn, ItemRow } from "@/bridge";
import { cellText, cellTitle, lastFolderAt } from "./cell-text";
import classes from "./item-grid.module.css";

export const rowHeight = 32;

/** Hundreds of cells are drawn at once, and each of Mantine's parts looks through all its style properties first. */
const Plain = "div";

interface GridRowProps {
	/** `null` while it is on its way. */
	row: ItemRow | null;
	index: number;
	/** Pixels from the top. */
	start: number;
	columns: readonly ItemColumn[];
	takesFocus: boolean;
}

/** The row that something happens in. */
export function rowOf(target: EventTarget): number | null {
	const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
	return row ? Number(row.dataset.index) : null;
}

/** Drawn again for what it shows alone: dozens of them stand below a search field. */
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
