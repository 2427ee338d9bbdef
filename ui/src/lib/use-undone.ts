import { useQuery } from "@tanstack/react-query";
import { type Backend, type HistoryEntry, type RecordId, type SiteView, useBackend } from "@/bridge";
import { parameterOf } from "./last-parameters";
import { queryKeys } from "./queries";

/** Records that can hold the identifier of an import: its own, and those that undid it. */
const few = 5;

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
	const search = { text: record, site: site.id, operation: "import_server" as const, username: null };
	const ended = { ...search, outcomes: ["succeeded" as const, "warnings" as const], from: null, to: null };
	const { entries } = await backend.searchHistory(ended, null, few);
	const undo = entries.find(({ parameters }) => parameterOf(parameters, "undoes") === record);
	if (!undo || (undo.hasSafetyBackup && (await undoOf(backend, site, undo.id)))) return null;
	return undo;
}
