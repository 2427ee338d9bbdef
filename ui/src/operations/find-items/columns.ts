import type { CSSProperties } from "react";
import type { ItemColumn, ItemQuery } from "@/bridge";

export type Order = Pick<ItemQuery, "column" | "descending">;

interface ColumnLayout {
	column: ItemColumn;
	/** Relative width, and the minimum width in pixels. */
	share: number;
	least: number;
}

/** Layouts in the order of the table. */
export const layouts: readonly ColumnLayout[] = [
	{ column: "name", share: 1.3, least: 105 },
	{ column: "type", share: 1.6, least: 165 },
	{ column: "path", share: 1.7, least: 125 },
	{ column: "location", share: 1.5, least: 150 },
	{ column: "provider", share: 1, least: 100 },
	{ column: "isManaged", share: 0.6, least: 125 },
	{ column: "systemManaged", share: 0.7, least: 100 },
	{ column: "modified", share: 0.8, least: 96 },
	{ column: "created", share: 0.8, least: 96 },
	{ column: "machines", share: 1.2, least: 105 },
	{ column: "purposes", share: 1, least: 100 },
	{ column: "description", share: 1.4, least: 115 },
	{ column: "revision", share: 0.6, least: 80 },
	{ column: "id", share: 1.6, least: 115 },
];

/** Visible columns, and widths in pixels that the user has set. */
export interface ColumnChoice {
	shown: ItemColumn[];
	widths: Partial<Record<ItemColumn, number>>;
}

export const usualColumns: ColumnChoice = {
	shown: ["name", "type", "path", "location", "isManaged", "modified"],
	widths: {},
};

export const leastWidth = 60;

/** CSS variables for the rows of the table. */
export function gridStyle(choice: ColumnChoice): CSSProperties {
	return { "--columns": template(choice), "--least-room": `${leastRoom(choice)}px` } as CSSProperties;
}

/** Returns a value of `grid-template-columns`. */
function template({ shown, widths }: ColumnChoice): string {
	return chosen(shown)
		.map(({ column, share, least }) => {
			const width = widths[column];
			return width === undefined ? `minmax(${least}px, ${share}fr)` : `${width}px`;
		})
		.join(" ");
}

/** Returns the minimum width of all columns, in pixels. */
function leastRoom({ shown, widths }: ColumnChoice): number {
	return chosen(shown).reduce((room, { column, least }) => room + (widths[column] ?? least), 0);
}

export function shownColumns({ shown }: ColumnChoice): ItemColumn[] {
	return chosen(shown).map(({ column }) => column);
}

function chosen(shown: readonly ItemColumn[]): ColumnLayout[] {
	return layouts.filter(({ column }) => shown.includes(column));
}
