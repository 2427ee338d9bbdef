import type { Backend, HistoryEntry, HistorySearch, SiteId } from "@/bridge";

/** Returns a history search without criteria, on all sites or one. */
export function anything(site: SiteId | null = null): HistorySearch {
	return { text: "", site, server: null, operation: null, username: null, outcomes: [], from: null, to: null };
}

/** Returns the newest entries of the history. */
export async function pastOf(backend: Backend, site: SiteId | null = null): Promise<HistoryEntry[]> {
	return (await backend.searchHistory(anything(site), null, 100)).entries;
}
