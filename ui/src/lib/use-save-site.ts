import { useMutation } from "@tanstack/react-query";
import { type SiteForm, type SiteView, useBackend } from "@/bridge";
import { keptBriefly, useStale } from "./use-command";

/** Adds or changes a site. `onStored` is called before the sites are read again, `onSaved` afterwards. */
export function useSaveSite(onSaved: (site: SiteView) => void, onStored?: () => void) {
	const backend = useBackend();
	const stale = useStale();
	return useMutation({
		mutationFn: (form: SiteForm) => backend.saveSite(form),
		gcTime: keptBriefly,
		onSuccess: async (saved) => {
			onStored?.();
			await stale("saveSite", saved.id);
			onSaved(saved);
		},
	});
}
