import { useQuery } from "@tanstack/react-query";
import { type HistoryEntry, type Key, type Parameter, type SiteId, useBackend } from "@/bridge";
import { useNavigation } from "./navigation";
import { queryKeys } from "./queries";

/** Looked through for one that a person filled in. */
const few = 5;

/** The newest record of an operation on a site, as the history keeps it: without secrets. `null` when there is none. */
export function useLastSent(site: SiteId, operation: Key): HistoryEntry | null {
	const backend = useBackend();
	const search = { text: "", site, operation, username: null, outcomes: [], from: null, to: null };
	const last = useQuery({
		queryKey: [...queryKeys.history, "last", site, operation],
		queryFn: () => backend.searchHistory(search, null, few),
	});
	// What undoes an import was filled in by nobody.
	return last.data?.entries.find(({ parameters }) => parameterOf(parameters, "undoes") === "") ?? null;
}

/** What the person came here with: a record to run again, or values from another screen. `null` while it is read. */
export function useBrought(site: SiteId, operation: Key): { at: HistoryEntry | null; values: Parameter[] } | null {
	const backend = useBackend();
	const { place } = useNavigation();
	const here = place.page === "operation" && place.site === site && place.key === operation ? place : null;
	const from = here?.from ?? null;
	const record = useQuery({
		queryKey: queryKeys.record(from ?? ""),
		queryFn: () => backend.recordDetails(from ?? ""),
		enabled: from !== null,
	});
	if (here?.fill) return { at: null, values: [...here.fill] };
	return record.data ? { at: record.data.entry, values: record.data.entry.parameters } : null;
}

/** The value of a parameter, by the name it has in the request; empty when it was not sent. */
export function parameterOf(parameters: readonly Parameter[], name: string): string {
	return parameters.find((one) => one.name === name)?.value ?? "";
}
