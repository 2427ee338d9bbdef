import { useMutation } from "@tanstack/react-query";
import { type SiteForm, type SiteView, useBackend } from "@/bridge";
import { keptBriefly } from "./kept-briefly";
import { useNavigation } from "./navigation";
import { useStale } from "./stale";

interface Saved {
	/** Called before the sites are read again, also if the page was left. */
	onStored?: (site: SiteView) => void;
	/** Called afterwards, unless the page was left meanwhile: a save can wait long for the keyring. */
	onSaved?: (site: SiteView) => void;
}

/** Adds or changes a site. */
export function useSaveSite({ onStored, onSaved }: Saved = {}) {
	const { place, isAt } = useNavigation();
	const backend = useBackend();
	const stale = useStale();
	return useMutation({
		mutationFn: (form: SiteForm) => backend.saveSite(form),
		gcTime: keptBriefly,
		onMutate: () => place,
		onSuccess: async (saved, _form, from) => {
			onStored?.(saved);
			await stale("saveSite", saved.id);
			if (isAt(from)) onSaved?.(saved);
		},
	});
}
