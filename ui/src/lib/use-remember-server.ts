import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { type ServerId, type SiteView, type Target, useBackend } from "@/bridge";
import { useProblemSummary } from "./problem-text";
import { queryKeys } from "./queries/keys";
import { atServer } from "./target";
import { useStale } from "./use-command";

/**
 * Returns a function that saves the current server of a site, with which its forms begin. A failure is shown as a
 * notification; the page does not change.
 */
export function useRememberServer(): (target: Target) => void {
	const { t } = useTranslation();
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const textOf = useProblemSummary();
	const { mutate } = useMutation({
		mutationFn: ({ site, server }: { site: SiteView; server: ServerId }) => backend.chooseServer(site.id, server),
		// Only the sites change: reads of a server have its ID in their key.
		onSuccess: () => stale("chooseServer"),
		onError: (problem, { site }) =>
			notifications.show({
				title: t("bar.serverFailed", { site: site.name }),
				message: textOf(problem),
				color: "red",
				autoClose: false,
				closeButtonProps: { "aria-label": t("action.close") },
			}),
	});
	return useCallback(
		({ site: id, server }) => {
			const site = queries.getQueryData<SiteView[]>(queryKeys.sites)?.find((one) => one.id === id);
			if (!site || server === null || server === site.currentServer) return;
			if (atServer(site, server)) mutate({ site, server });
		},
		[queries, mutate],
	);
}
