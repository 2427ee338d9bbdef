import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useBackend } from "@/bridge";
import { useNavigation } from "./navigation";
import { administrator } from "./practice-administrator";
import { queryKeys } from "./queries/keys";
import { setSession } from "./queries/session";
import { useStale } from "./stale";
import { serverOf } from "./target";

/** One click: starts the site, signs in as its administrator if nobody is signed in, and goes there or stays. */
export function usePracticeStart() {
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const { go } = useNavigation();
	return useMutation({
		mutationFn: async (_then: "go" | "stay") => {
			const practice = await backend.startPractice();
			// A token from an earlier day still opens it; only without one a user has to be chosen.
			const session =
				(await backend.session(serverOf(practice.site))) ??
				(await backend.signInToPractice(administrator(practice.users).username));
			return { practice, session };
		},
		onSuccess: async ({ practice, session }, then) => {
			queries.setQueryData(queryKeys.practice, practice);
			setSession(queries, session);
			await stale("startPractice");
			if (then === "go") go({ page: "overview", site: practice.site.id });
		},
	});
}
