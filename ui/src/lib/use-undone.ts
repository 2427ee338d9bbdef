import { useQuery } from "@tanstack/react-query";
import { type HistoryEntry, type RecordId, type SiteView, useBackend } from "@/bridge";
import { parameterOf } from "./last-parameters";
import { queryKeys } from "./queries";

/** Records that can hold the identifier of an import: its own, and those that undid it. */
const few = 5;

/** The newest record that says that this import was undone; `null` when there is none. */
export function useUndone(site: SiteView, record: RecordId | null): HistoryEntry | null {
	const backend = useBackend();
	const search = { text: record ?? "", site: site.id, operation: "import_server" as const, username: null };
	const found = useQuery({
		queryKey: [...queryKeys.history, "undone", record],
		queryFn: () =>
			backend.searchHistory({ ...search, outcomes: ["succeeded", "warnings"], from: null, to: null }, null, few),
		enabled: record !== null,
	});
	return found.data?.entries.find(({ parameters }) => parameterOf(parameters, "undoes") === record) ?? null;
}
