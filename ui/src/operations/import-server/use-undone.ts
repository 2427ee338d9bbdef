import type { HistoryEntry, RecordId, SiteView } from "@/bridge";
import { useUndo } from "@/lib/queries/history";

/** Newest undo of this import that was not undone itself; `null` if there is none. */
export function useUndone(site: SiteView, record: RecordId | null): HistoryEntry | null {
	return useUndo(site.id, "import_server", record);
}
