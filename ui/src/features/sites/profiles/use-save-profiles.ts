import { useMutation } from "@tanstack/react-query";
import { type SiteId, useBackend } from "@/bridge";

/** Saves the profiles of sites into a file that the person chooses. */
export function useSaveProfiles() {
	const backend = useBackend();
	const save = useMutation({ mutationFn: (sites: SiteId[]) => backend.saveProfiles(sites) });
	return {
		save: (sites: SiteId[]) => save.mutate(sites),
		saving: save.data ?? null,
		error: save.error,
		/** How many there are in the file. */
		count: save.variables?.length ?? 0,
	};
}

export type SaveProfiles = ReturnType<typeof useSaveProfiles>;
