import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { type Backend, type BatchId, type HistoryEntry, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";

/** All entries of a batch, also those that a search does not find. */
export function batchQuery(backend: Backend, batch: BatchId) {
	return { queryKey: [...queryKeys.history, "batch", batch], queryFn: () => backend.historyBatch(batch) };
}

/** Which batches are opened, and what they hold; `null` while it is read. */
export function useBatches() {
	const backend = useBackend();
	const [ids, setIds] = useState<readonly BatchId[]>([]);
	const opened: ReadonlyMap<BatchId, readonly HistoryEntry[] | null> = useQueries({
		queries: ids.map((id) => batchQuery(backend, id)),
		combine: (results) =>
			new Map(ids.flatMap((id, at) => (results[at] === undefined ? [] : [[id, results[at].data ?? null] as const]))),
	});
	const unfold = (batch: BatchId, isOpen: boolean) =>
		setIds((before) => [...before.filter((id) => id !== batch), ...(isOpen ? [batch] : [])]);
	return { opened, unfold };
}
