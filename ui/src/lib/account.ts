import type { QueryClient } from "@tanstack/react-query";
import { createContext } from "react";
import type { SessionView, SiteId, SiteView } from "@/bridge";
import { queryKeys } from "./queries/keys";

/** Who a page of a site is for; `null` where a page is for everybody at this computer, as the history is. */
export const AccountContext = createContext<Pick<SessionView, "site" | "username"> | null>(null);

/** Who is signed in on a site, or was until the session ended by itself. What is typed and read there is theirs. */
export function accountAt(queries: QueryClient, site: SiteId): string {
	const session = queries.getQueryData<SessionView | null>(queryKeys.lastSession(site));
	const saved = queries.getQueryData<SiteView[]>(queryKeys.sites)?.find(({ id }) => id === site);
	return session?.username ?? saved?.username ?? "";
}
