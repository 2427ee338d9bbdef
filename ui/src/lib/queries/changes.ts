import { useEffect, useEffectEvent } from "react";
import { type Compared, type Key, type SiteId, useBackend } from "@/bridge";
import { useStale } from "../use-command";
import { queryKeys, useRead } from "./keys";

/** How often it is looked whether a snapshot was taken, in milliseconds. The site is not asked. */
const often = 1_000;

export function useSnapshots(site: SiteId) {
	return useRead(queryKeys.snapshots(site), (backend) => backend.snapshots(site), {
		staleTime: 0,
		refetchInterval: ({ state: { data } }) => (data?.isTaking ? often : false),
	});
}

/** Sites and servers of which there is a snapshot. */
export function useSides() {
	return useRead(queryKeys.sides, (backend) => backend.sides(), { staleTime: 0 });
}

/** Imports of a site with a snapshot before and after them. */
export function useComparedImports(site: SiteId) {
	return useRead(queryKeys.importsCompared(site), (backend) => backend.comparedImports(site), { staleTime: 0 });
}

/** What changed on each portal or server of a site since its first snapshot, without what is accepted. */
export function useChangedSinceAccepted(site: SiteId) {
	return useRead(queryKeys.changedSinceAccepted(site), (backend) => backend.changedSinceAccepted(site), {
		staleTime: 0,
	});
}

/** Takes a snapshot once a file to import is chosen. The import does not wait for it, and a failure is kept with the snapshots. */
export function useSnapshotBeforeImport(site: SiteId, isFileChosen: boolean): void {
	const backend = useBackend();
	const stale = useStale();
	const take = useEffectEvent(() => {
		const read = () => stale("snapshotBeforeImport", site);
		backend.snapshotBeforeImport(site).then(read, read);
	});
	useEffect(() => {
		if (isFileChosen) take();
	}, [isFileChosen]);
}

export function useComparison(compared: Compared) {
	return useRead(queryKeys.compared(compared), (backend) => backend.compareSnapshots(compared));
}

export function useComparedFields(compared: Compared, key: Key) {
	return useRead(queryKeys.comparedFields(compared, key), (backend) => backend.comparedFields(compared, key));
}
