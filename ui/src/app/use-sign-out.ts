import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { useProblemSummary } from "@/lib/problem-text";
import { forgetSession } from "@/lib/queries/program";
import { useStale } from "@/lib/use-command";

/**
 * Returns a function that signs out of a site. After a failure, the session stays and a notification shows the reason.
 */
export function useSignOut(site: SiteView | null): () => void {
	const { t } = useTranslation();
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const textOf = useProblemSummary();
	const signOut = useMutation({
		mutationFn: (from: SiteView) => backend.signOut(from.id),
		onSuccess: (_, { id }) => forgetSession(queries, id),
		onError: (problem, { name }) =>
			notifications.show({
				title: t("bar.signOutFailed", { site: name }),
				message: textOf(problem),
				color: "red",
				autoClose: false,
				closeButtonProps: { "aria-label": t("action.close") },
			}),
		// Some tokens might be deleted despite the failure.
		onSettled: (_, __, { id }) => stale("signOut", id),
	});
	return () => {
		if (site !== null) signOut.mutate(site);
	};
}
