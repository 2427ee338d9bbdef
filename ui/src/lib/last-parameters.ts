import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { type HistoryEntry, type OperationKey, type Outcome, type Parameter, type SiteId, useBackend } from "@/bridge";
import { AccountContext } from "./account";
import { queryKeys } from "./queries";

/** Looked through for one that a person filled in. */
const few = 5;

/** Every outcome but the one of a request that was not sent. */
const sent: Outcome[] = ["sent", "succeeded", "warnings", "failed", "unknown"];

/**
 * The newest record of a request that the person filled in and sent, for an operation on a site. The history keeps it
 * without secrets. `null` when there is none; what another account sent can be filled in from the history.
 */
export function usePreviousValues(site: SiteId, operation: OperationKey): HistoryEntry | null {
	const backend = useBackend();
	const username = useContext(AccountContext)?.username ?? null;
	const search = { text: "", site, operation, username, outcomes: sent, from: null, to: null };
	const last = useQuery({
		queryKey: [...queryKeys.history, "last", site, operation, username],
		queryFn: () => backend.searchHistory(search, null, few),
	});
	// What undoes an import, and a safety backup before one, were filled in by nobody.
	const filledIn = ({ parameters }: HistoryEntry) =>
		parameterOf(parameters, "undoes") === "" && parameterOf(parameters, "purpose") === "";
	return last.data?.entries.find(filledIn) ?? null;
}

/** The value of a parameter, by the name it has in the request; empty when it was not sent. */
export function parameterOf(parameters: readonly Parameter[], name: string): string {
	return parameters.find((one) => one.name === name)?.value ?? "";
}
