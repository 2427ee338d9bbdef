import type { QueryClient } from "@tanstack/react-query";
import { createContext } from "react";
import type { SessionView, SiteId, SiteView } from "@/bridge";
import { queryKeys } from "./queries/keys";

/**
 * Account of the page below, with its site. `null` on pages that do not depend on an account, for example the history.
 */
export const AccountContext = createContext<Pick<SessionView, "site" | "username"> | null>(null);

/**
 * Returns the account that is signed in at a site, or was before its session expired. Drafts and results belong to it.
 */
export function accountAt(queries: QueryClient, site: SiteId): string {
	const session = queries.getQueryData<SessionView | null>(queryKeys.lastSession(site));
	const saved = queries.getQueryData<SiteView[]>(queryKeys.sites)?.find(({ id }) => id === site);
	return session?.username ?? saved?.username ?? "";
}
