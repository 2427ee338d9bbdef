import type { CSSProperties } from "react";
import type { FindItemsForm, ItemColumn, ItemQuery, Parameter } from "@/bridge";
import { draftKey } from "@/lib/drafts";

export type Managed = "any" | "yes" | "no";

export interface Values {
	parentPath: string;
	ancestorPath: string;
	types: string[];
	id: string;
	isManaged: Managed;
}

export const nothing: Values = { parentPath: "", ancestorPath: "", types: [], id: "", isManaged: "any" };

/** Values of a search for every item. */
export const everything: Values = { ...nothing, ancestorPath: "/" };

export function request({ isManaged, types, ...texts }: Values): FindItemsForm {
	return { ...texts, types: types.join(","), isManaged: isManaged === "any" ? null : isManaged === "yes" };
}

export function isEmpty(values: Values): boolean {
	const { isManaged, ...texts } = request(values);
	return isManaged === null && Object.values(texts).every((text) => text.trim() === "");
}

export function valuesOf({ types, isManaged, ...texts }: FindItemsForm): Values {
	return { ...texts, types: typesOf(types), isManaged: isManaged === null ? "any" : isManaged ? "yes" : "no" };
}

/** Returns the form values of parameters that a link or a history entry passed. */
export function broughtValues(parameters: readonly Parameter[]): Values {
	const of = (name: string) => parameters.find((one) => one.name === name)?.value ?? "";
	const managed = of("isManaged");
	return {
		parentPath: of("parentPath"),
		ancestorPath: of("ancestorPath"),
		types: typesOf(of("types")),
		id: of("id"),
		isManaged: managed === "true" ? "yes" : managed === "false" ? "no" : "any",
	};
}

export function asksTheSame(one: FindItemsForm, other: FindItemsForm): boolean {
	return (Object.keys(one) as (keyof FindItemsForm)[]).every((name) => one[name] === other[name]);
}

function typesOf(types: string): string[] {
	return types
		.split(",")
		.map((type) => type.trim())
		.filter((type) => type !== "");
}

export const filtersOf = draftKey<Values>();

export const orderOf = draftKey<Order>();

export const columnsOf = draftKey<ColumnChoice>();

export const usualOrder: Order = { column: "path", descending: false };

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
