import { draftKey } from "@/lib/drafts";
import type { ColumnChoice, Order } from "./columns";
import type { Values } from "./values";

/** The filters of a site, as they are filled in. */
export const filtersOf = draftKey<Values>();

/** What the items of a site are ordered by. */
export const orderOf = draftKey<Order>();

/** Which columns are shown. */
export const columnsOf = draftKey<ColumnChoice>();

export const usualOrder: Order = { column: "path", descending: false };
