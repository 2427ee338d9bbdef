import type { FindItemsForm } from "@/bridge";

export type Managed = "any" | "yes" | "no";

/** The filters as they are filled in. */
export interface Values extends Omit<FindItemsForm, "isManaged"> {
	isManaged: Managed;
}

export const nothing: Values = { parentPath: "", ancestorPath: "", types: "", id: "", isManaged: "any" };

/** The filter that finds every item. */
export const everything: Values = { ...nothing, ancestorPath: "/" };

export function request({ isManaged, ...texts }: Values): FindItemsForm {
	return { ...texts, isManaged: isManaged === "any" ? null : isManaged === "yes" };
}
