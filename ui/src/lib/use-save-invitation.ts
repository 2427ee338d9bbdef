import { type SaveResult, type SiteId, type UnsavedInvitationId, useBackend } from "@/bridge";
import { useStale } from "./stale";

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
