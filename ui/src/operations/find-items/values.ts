import type { FindItemsForm, Parameter } from "@/bridge";
import { draftKey } from "@/lib/drafts";
import type { ColumnChoice, Order } from "./columns";

export type Managed = "any" | "yes" | "no";

export interface Values {
	parentPath: string;
	ancestorPath: string;
	types: string[];
	id: string;
	isManaged: Managed;
}

export const nothing: Values = { parentPath: "", ancestorPath: "", types: [], id: "", isManaged: "any" };

/** Values that find every item. */
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

/** Returns the values in the parameters that a link or the history brings. */
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
