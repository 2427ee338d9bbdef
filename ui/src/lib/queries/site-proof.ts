import type { RecordId, SiteId } from "@/bridge";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

/** How often it is looked whether a check ended, in milliseconds. The site is not asked. */
const often = 2_000;

/** The last check of a whole site. After an import, it is looked for until its check is the last one. */
export function useSiteProof(site: SiteId, awaited: RecordId | null = null) {
	return useRead(queryKeys.siteProof(site), (backend) => backend.siteProof(site), {
		staleTime: 0,
		refetchInterval: ({ state: { data } }) => {
			const isAwaited = awaited !== null && data?.import !== awaited;
			return data?.isWaiting || isAwaited ? often : false;
		},
	});
}
