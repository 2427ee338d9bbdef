import { useMutation } from "@tanstack/react-query";
import { type SiteForm, type SiteView, useBackend } from "@/bridge";
import { useStale } from "./stale";

/** Adds a site, or changes one. `onStored` is called before the sites are asked again, `onSaved` after that. */
export function useSaveSite(onSaved: (site: SiteView) => void, onStored?: () => void) {
	const backend = useBackend();
	const stale = useStale();
	return useMutation({
		mutationFn: (form: SiteForm) => backend.saveSite(form),
		// The passwords in it are not kept in the window longer than the call takes.
		gcTime: 0,
		onSuccess: async (saved) => {
			onStored?.();
			await stale("saveSite", saved.id);
			onSaved(saved);
		},
	});
}
