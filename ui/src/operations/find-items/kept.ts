import { draftKey } from "@/lib/drafts";
import type { ColumnChoice, Order } from "./columns";
import type { Values } from "./values";

export const filtersOf = draftKey<Values>();

export const orderOf = draftKey<Order>();

export const columnsOf = draftKey<ColumnChoice>();

export const usualOrder: Order = { column: "path", descending: false };
