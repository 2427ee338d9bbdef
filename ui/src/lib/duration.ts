import type { HistoryEntry, Millis, RecordId } from "@/bridge";
import { useRecord } from "./queries/history";

/** How long an entry of the history took; `null` while it has not ended. An older entry has its times alone. */
export function durationOf({ elapsed, startedAt, endedAt }: HistoryEntry): Millis | null {
	return elapsed ?? (endedAt === null ? null : endedAt - startedAt);
}

/** How long a run took, as its entry of the history has it: the run itself began before that was written. */
export function useDuration({ record, took }: { record: RecordId | null; took: Millis }): Millis {
	const entry = useRecord(record).data?.entry;
	return (entry && durationOf(entry)) ?? took;
}
