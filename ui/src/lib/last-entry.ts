import { useQuery } from "@tanstack/react-query";
import { type HistoryEntry, type OperationKey, type Outcome, type SiteView, useBackend } from "@/bridge";
import { queryKeys } from "./queries";
import { targetOf } from "./target-of";

/** Read at once: entries of other servers of the site are among them. */
const some = 20;

/** Every outcome but the one of a request that is on its way. */
const ended: Outcome[] = ["succeeded", "warnings", "failed", "unknown", "notSent"];

/** The newest history entry of an operation on what its page acts on; `null` when there is none. */
export function useLastEntry(operation: OperationKey, site: SiteView): HistoryEntry | null {
	const backend = useBackend();
	const { server } = targetOf(operation, site);
	const search = { text: "", site: site.id, operation, username: null, outcomes: ended, from: null, to: null };
	const last = useQuery({
		queryKey: [...queryKeys.history, "newest", site.id, operation],
		queryFn: () => backend.searchHistory(search, null, some),
	});
	return last.data?.entries.find((entry) => entry.server === server) ?? null;
}
