import { Paper, Stack, Switch } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { Small } from "@/components/text";
import { queryKeys } from "@/lib/queries/keys";
import { usePractice } from "@/lib/queries/program";
import { useStale } from "@/lib/stale";

/** Whether the practice site accepts exports as uploads. On a real server, an administrator has to allow this. */
export function SiteFiles() {
	const { t } = useTranslation("practice", { keyPrefix: "siteFiles" });
	const backend = useBackend();
	const hint = useId();
	const queries = useQueryClient();
	const stale = useStale();
	const practice = usePractice().data;
	const accept = useMutation({
		mutationFn: (accepted: boolean) => backend.acceptSiteFiles(accepted),
		onSuccess: async (now) => {
			queries.setQueryData(queryKeys.practice, now);
			await stale("acceptSiteFiles");
		},
	});
	if (!practice) return null;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("title")}>
			<Stack gap="xs">
				<Switch
					label={t("label")}
					aria-describedby={hint}
					checked={accept.isPending ? accept.variables : practice.acceptsSiteFiles}
					onChange={(event) => accept.mutate(event.currentTarget.checked)}
				/>
				<Small id={hint}>{t("hint")}</Small>
				{accept.error ? <ProblemNotice problem={accept.error} /> : null}
			</Stack>
		</Paper>
	);
}
