import { useState } from "react";
import type { SiteId } from "@/bridge";
import { useDraft } from "@/lib/drafts";
import type { Order } from "./item-grid";

/** Kept for as long as the window is open: how somebody likes this table is no property of the site. */
export function useKept<T>(name: string, usual: T): [T, (value: T) => void] {
	const { kept, keep } = useDraft<T>(name);
	const [value, setValue] = useState(kept ?? usual);
	const set = (next: T) => {
		keep(next);
		setValue(next);
	};
	return [value, set];
}

/** What the items of a site are ordered by is kept under this name. */
export const orderName = (site: SiteId) => `${site} find_items order`;

/** Which columns are shown is kept under this name. */
export const columnsName = (site: SiteId) => `${site} find_items columns`;

export const usualOrder: Order = { column: "path", descending: false };
