import { useMutation } from "@tanstack/react-query";
import { type SiteForm, type SiteView, useBackend } from "@/bridge";
import { keptBriefly } from "./kept-briefly";
import { useStale } from "./stale";

/** Adds a site, or changes one. `onStored` is called before the sites are asked again, `onSaved` after that. */
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
