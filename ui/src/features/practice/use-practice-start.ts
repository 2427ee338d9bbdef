import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useBackend } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries";
import { administrator } from "./administrator";

/** One click: starts the site, signs in as its administrator if nobody is signed in, and goes there. */
export function usePracticeStart() {
	const backend = useBackend();
	const queries = useQueryClient();
	const { go } = useNavigation();
	return useMutation({
		mutationFn: async () => {
			const practice = await backend.startPractice();
			// A token from an earlier day still opens it; only without one somebody has to be chosen.
			const session =
				(await backend.session(practice.site.id)) ??
				(await backend.signInToPractice(administrator(practice.users).username));
			return { practice, session };
		},
		onSuccess: async ({ practice, session }) => {
			queries.setQueryData(queryKeys.practice, practice);
			queries.setQueryData(queryKeys.session(practice.site.id), session);
			await queries.invalidateQueries({ queryKey: queryKeys.sites });
			go({ page: "overview", site: practice.site.id });
		},
	});
}
