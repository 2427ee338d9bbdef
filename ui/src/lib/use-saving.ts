import { useMutation } from "@tanstack/react-query";
import {
	type Problem,
	type RecordId,
	type ReportFormat,
	type SaveResult,
	type SiteId,
	type UnsavedInvitationId,
	useBackend,
} from "@/bridge";
import { draftKey, useSessionState } from "./drafts";
import { useCommand, useStale } from "./use-command";

export interface SavingHandle {
	saving: SaveResult;
	/** Whether there was an attempt after the first one. */
	later: boolean;
	again: () => void;
	pending: boolean;
	/** Why the last attempt could not start. */
	error: Problem | null;
}

const latestOf = draftKey<SaveResult | null>();

/**
 * Saves a file again after a first attempt. `name` identifies the file; under it, the result of the last attempt
 * outlives the page.
 */
export function useSaving(name: string, first: SaveResult, attempt: () => Promise<SaveResult>): SavingHandle {
	const [latest, setLatest] = useSessionState<SaveResult | null>(latestOf(name), null);
	const { mutate, isPending, error } = useMutation({ mutationFn: attempt, onSuccess: setLatest });
	return { saving: latest ?? first, later: latest !== null, again: () => mutate(), pending: isPending, error };
}

export function useSaveInvitation(site: SiteId): (kept: UnsavedInvitationId) => Promise<SaveResult> {
	const backend = useBackend();
	const stale = useStale();
	return async (kept) => {
		const saving = await backend.saveInvitationAgain(kept);
		if (saving.kind === "saved") {
			void stale("saveInvitationAgain", site);
		}
		return saving;
	};
}

/** Saves the report or the audit package of an entry in the system's file dialog. */
export function useSaveRecord(record: RecordId | null) {
	return useCommand(
		(backend, as: ReportFormat | "auditPackage") =>
			as === "auditPackage" ? backend.saveAuditPackage([record ?? ""]) : backend.saveReport(record ?? "", as),
		(stale, as) => stale(as === "auditPackage" ? "saveAuditPackage" : "saveReport"),
	);
}
