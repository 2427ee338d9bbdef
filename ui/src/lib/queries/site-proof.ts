import type { RecordId, SiteId } from "@/bridge";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

/** Interval for reading whether a check ended, in milliseconds. Sends no request to the site. */
const pollInterval = 2_000;

/** Last check of a whole site. After an import, it is read at intervals until it belongs to that import. */
export function useSiteProof(site: SiteId, awaited: RecordId | null = null) {
	return useRead(queryKeys.siteProof(site), (backend) => backend.siteProof(site), {
		staleTime: 0,
		refetchInterval: ({ state: { data } }) => {
			const isAwaited = awaited !== null && data?.import !== awaited;
			return data?.isWaiting || isAwaited ? pollInterval : false;
		},
	});
}
