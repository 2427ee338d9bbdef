import { Select, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { useStale } from "@/lib/stale";

/** Which of its several servers the forms begin with. */
export function ServerChoice({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const stale = useStale();
	const choose = useMutation({
		mutationFn: (server: string) => backend.chooseServer(site.id, server),
		// What is read of a server is asked for by its identifier.
		onSuccess: () => stale("chooseServer"),
	});
	return (
		<Stack gap="xs">
			<Select
				size="xs"
				aria-label={t("servers.choose")}
				allowDeselect={false}
				disabled={choose.isPending}
				data={site.servers.flatMap(({ id, name, address }) => (id ? [{ value: id, label: name || address }] : []))}
				value={site.currentServer}
				onChange={(server) => {
					if (server && server !== site.currentServer) choose.mutate(server);
				}}
			/>
			{choose.error ? <ProblemNotice problem={choose.error} /> : null}
		</Stack>
	);
}
