import { useQuery } from "@tanstack/react-query";
import { type HistoryEntry, type OperationKey, type Outcome, type SiteView, useBackend } from "@/bridge";
import { newestEntry } from "./newest-entry";
import { queryKeys } from "./queries";
import { targetOf } from "./target-of";

/** Every outcome but the one of a request that is on its way. */
const ended: Outcome[] = ["succeeded", "warnings", "failed", "unknown", "notSent"];

/** The newest history entry of an operation on what its page acts on; `null` when there is none. */
export function useLastEntry(operation: OperationKey, site: SiteView): HistoryEntry | null {
	const backend = useBackend();
	const { server } = targetOf(operation, site);
	const last = useQuery({
		queryKey: [...queryKeys.history, "newest", operation, site.id, server],
		queryFn: () =>
			newestEntry(backend, { site: site.id, operation, outcomes: ended }, (entry) => entry.server === server),
	});
	return last.data ?? null;
}
