import { useQuery } from "@tanstack/react-query";
import {
	type Backend,
	type HistoryEntry,
	type HistorySearch,
	type RecordId,
	type SiteView,
	useBackend,
} from "@/bridge";
import { parameterOf } from "@/lib/last-parameters";
import { newestEntry } from "@/lib/newest-entry";
import { queryKeys } from "@/lib/queries";

/** The newest record that undid this import and was not undone itself; `null` when there is none. */
export function useUndone(site: SiteView, record: RecordId | null): HistoryEntry | null {
	const backend = useBackend();
	const found = useQuery({
		queryKey: [...queryKeys.history, "undone", record],
		queryFn: () => undoOf(backend, site, record ?? ""),
		enabled: record !== null,
	});
	return found.data ?? null;
}

async function undoOf(backend: Backend, site: SiteView, record: RecordId): Promise<HistoryEntry | null> {
	const search: Partial<HistorySearch> = {
		site: site.id,
		operation: "import_server",
		outcomes: ["succeeded", "warnings"],
	};
	const undo = await newestEntry(backend, search, (entry) => parameterOf(entry.parameters, "undoes") === record);
	if (!undo || (undo.hasSafetyBackup && (await undoOf(backend, site, undo.id)))) return null;
	return undo;
}
