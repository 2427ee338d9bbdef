import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { type HistoryEntry, type OperationKey, type Outcome, type Parameter, type SiteId, useBackend } from "@/bridge";
import { AccountContext } from "./account";
import { newestEntry } from "./newest-entry";
import { queryKeys } from "./queries";

/** Every outcome but the one of a request that was not sent. */
const sent: Outcome[] = ["sent", "succeeded", "warnings", "failed", "unknown"];

/**
 * The newest record of a request that the person filled in and sent, for an operation on a site. The history keeps it
 * without secrets. `null` when there is none; what another account sent can be filled in from the history.
 */
export function usePreviousValues(site: SiteId, operation: OperationKey): HistoryEntry | null {
	const backend = useBackend();
	const username = useContext(AccountContext)?.username ?? null;
	// What undoes an import, and a safety backup before one, were filled in by nobody.
	const filledIn = ({ parameters }: HistoryEntry) =>
		parameterOf(parameters, "undoes") === "" && parameterOf(parameters, "purpose") === "";
	const last = useQuery({
		queryKey: [...queryKeys.history, "last", site, operation, username],
		queryFn: () => newestEntry(backend, { site, operation, username, outcomes: sent }, filledIn),
	});
	return last.data ?? null;
}

/** The value of a parameter, by the name it has in the request; empty when it was not sent. */
export function parameterOf(parameters: readonly Parameter[], name: string): string {
	return parameters.find((one) => one.name === name)?.value ?? "";
}
