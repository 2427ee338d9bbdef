import type { SiteId } from "@/bridge";
import type { Order } from "./item-grid";

/** The filters as they are filled in are kept under this name. */
export const filtersName = (site: SiteId) => `${site} find_items`;

/** What the items of a site are ordered by is kept under this name. */
export const orderName = (site: SiteId) => `${site} find_items order`;

/** Which columns are shown is kept under this name. */
export const columnsName = (site: SiteId) => `${site} find_items columns`;

export const usualOrder: Order = { column: "path", descending: false };
