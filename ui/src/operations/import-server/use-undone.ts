import type { HistoryEntry, RecordId, SiteView } from "@/bridge";
import { useUndo } from "@/lib/queries/history";

/** The newest record that undid this import and was not undone itself; `null` when there is none. */
export function useUndone(site: SiteView, record: RecordId | null): HistoryEntry | null {
	return useUndo(site.id, "import_server", record);
}
