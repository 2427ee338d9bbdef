import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ServerId, type SiteView, useBackend } from "@/bridge";
import { useProblemSummary } from "./problem-text";
import { useStale } from "./stale";

/** Makes a server the current one, with which the forms of its site begin; of a portal, none. A failure is shown. */
export function useChooseServer(): (site: SiteView, server: ServerId | null) => Promise<void> {
	const { t } = useTranslation();
	const backend = useBackend();
	const stale = useStale();
	const textOf = useProblemSummary();
	const choose = useMutation({
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
	return async (site, server) => {
		if (server !== null && server !== site.currentServer) await choose.mutateAsync({ site, server }).catch(() => {});
	};
}
