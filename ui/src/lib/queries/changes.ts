import type { Key, SiteId, SnapshotId } from "@/bridge";
import { queryKeys } from "./keys";
import { useRead } from "./use-read";

/** How often it is looked whether a snapshot was taken, in milliseconds. The site is not asked. */
const often = 1_000;

/** Two snapshots of a site: the earlier and the later one. */
export interface SnapshotPair {
	from: SnapshotId;
	to: SnapshotId;
}

export function useSnapshots(site: SiteId) {
	return useRead(queryKeys.snapshots(site), (backend) => backend.snapshots(site), {
		staleTime: 0,
		refetchInterval: ({ state: { data } }) => (data?.isTaking ? often : false),
	});
}

export function useComparedSnapshots(site: SiteId, pair: SnapshotPair | null) {
	return useRead(
		queryKeys.comparedSnapshots(site, pair),
		pair && ((backend) => backend.compareSnapshots(site, pair.from, pair.to)),
	);
}

export function useComparedFields(site: SiteId, { from, to }: SnapshotPair, key: Key) {
	return useRead(queryKeys.comparedFields(site, { from, to }, key), (backend) =>
		backend.comparedFields(site, from, to, key),
	);
}
