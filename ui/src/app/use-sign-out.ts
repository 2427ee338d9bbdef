import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SiteId, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";

/** Signs out of a site; its pages then ask to sign in. */
export function useSignOut(site: SiteId | null): () => void {
	const backend = useBackend();
	const queries = useQueryClient();
	const signOut = useMutation({
		mutationFn: (from: SiteId) => backend.signOut(from),
		onSettled: (_, __, from) => {
			queries.setQueryData(queryKeys.session(from), null);
			return queries.invalidateQueries({ queryKey: ["site", from] });
		},
	});
	return () => {
		if (site !== null) signOut.mutate(site);
	};
}
