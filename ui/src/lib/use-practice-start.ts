import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type PracticeUser, useBackend } from "@/bridge";
import { useNavigation } from "./navigation";
import { queryKeys } from "./queries/keys";
import { setSession } from "./queries/program";
import { serverOf } from "./target";
import { useStale } from "./use-command";

/**
 * Starts the practice site, and signs in as its administrator unless a user is signed in. Opens its overview, or stays
 * on the page with `stay` or if the user left it meanwhile.
 */
export function usePracticeStart() {
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const { place, go, isAt } = useNavigation();
	return useMutation({
		mutationFn: async (_then: "go" | "stay") => {
			const practice = await backend.startPractice();
			// A stored token might still be valid; only without one is a user signed in.
			const session =
				(await backend.session(serverOf(practice.site))) ??
				(await backend.signInToPractice(administrator(practice.users).username));
			return { practice, session };
		},
		onMutate: () => place,
		onSuccess: async ({ practice, session }, then, from) => {
			queries.setQueryData(queryKeys.practice, practice);
			setSession(queries, session);
			await stale("startPractice");
			if (then === "go" && isAt(from)) go({ page: "overview", site: practice.site.id });
		},
	});
}

/** Returns the user of the practice site with all privileges. */
export function administrator(users: readonly PracticeUser[]): PracticeUser {
	const user = users.find(({ role }) => role === "administrator") ?? users[0];
	if (!user) throw new Error("the practice site has no users");
	return user;
}
