import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useBackend } from "@/bridge";
import { useNavigation } from "./navigation";
import { administrator } from "./practice-administrator";
import { queryKeys } from "./queries/keys";
import { setSession } from "./queries/session";
import { useStale } from "./stale";
import { serverOf } from "./target";

/**
 * Starts the practice site, signs in as its administrator unless a user is signed in, and opens its overview or stays.
 */
export function usePracticeStart() {
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const { go } = useNavigation();
	return useMutation({
		mutationFn: async (_then: "go" | "stay") => {
			const practice = await backend.startPractice();
			// A stored token might still be valid; only without one is a user signed in.
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
