import { useQueryClient } from "@tanstack/react-query";
import { type SaveResult, type SiteId, type UnsavedInvitationId, useBackend } from "@/bridge";
import { queryKeys } from "./queries";

/** Saves an invitation that is in hand: it waits no longer then, and the guided tour has it behind. */
export function useSaveInvitation(site: SiteId): (kept: UnsavedInvitationId) => Promise<SaveResult> {
	const backend = useBackend();
	const queries = useQueryClient();
	return async (kept) => {
		const saving = await backend.saveInvitationAgain(kept);
		if (saving.kind === "saved") {
			void queries.invalidateQueries({ queryKey: queryKeys.keptInvitations(site) });
			void queries.invalidateQueries({ queryKey: queryKeys.overviews });
			void queries.invalidateQueries({ queryKey: queryKeys.guidedTour });
		}
		return saving;
	};
}
