import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { type ServerId, type SiteView, type Target, useBackend } from "@/bridge";
import { useProblemSummary } from "./problem-text";
import { queryKeys } from "./queries/keys";
import { useStale } from "./stale";
import { atServer } from "./target";

/** Saves a server as the current one of its site, with which its forms begin from then on. A failure is shown, and changes no page. */
export function useRememberServer(): (target: Target) => void {
	const { t } = useTranslation();
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const textOf = useProblemSummary();
	const { mutate } = useMutation({
		mutationFn: ({ site, server }: { site: SiteView; server: ServerId }) => backend.chooseServer(site.id, server),
		// What is read of a server is asked for by its identifier.
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
