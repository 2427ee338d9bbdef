import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SiteForm, type SiteView, useBackend } from "@/bridge";
import { queryKeys } from "./queries";

/** Adds a site, or changes one. `onStored` is called before the sites are asked again, `onSaved` after that. */
export function useSaveSite(onSaved: (site: SiteView) => void, onStored?: () => void) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (form: SiteForm) => backend.saveSite(form),
		// The passwords in it are not kept in the window longer than the call takes.
		gcTime: 0,
		onSuccess: async (saved) => {
			onStored?.();
			await queries.invalidateQueries({ queryKey: queryKeys.sites });
			// Another address or certificate may lead to another answer.
			void queries.invalidateQueries({ queryKey: ["site", saved.id] });
			onSaved(saved);
		},
	});
}
