import { useQueryClient } from "@tanstack/react-query";
import { type KeptFile, type Saving, type SiteId, useBackend } from "@/bridge";
import { queryKeys } from "./queries";

/** Saves an invitation that is in hand: it waits no longer then, and the guided lap has it behind. */
export function useSaveInvitation(site: SiteId): (kept: KeptFile) => Promise<Saving> {
	const backend = useBackend();
	const queries = useQueryClient();
	return async (kept) => {
		const saving = await backend.saveInvitationAgain(kept);
		if (saving.kind === "saved") {
			void queries.invalidateQueries({ queryKey: queryKeys.keptInvitations(site) });
			void queries.invalidateQueries({ queryKey: queryKeys.lap });
		}
		return saving;
	};
}
