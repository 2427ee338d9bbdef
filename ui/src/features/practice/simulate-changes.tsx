import { Button, Paper, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { useCommand } from "@/lib/use-command";

/** Changes the configuration of the practice site as another administrator could have done, for the page of changes. */
export function SimulateChanges() {
	const { t } = useTranslation("practice", { keyPrefix: "changes" });
	const simulate = useCommand(
		(backend) => backend.simulateChanges(),
		(stale) => stale("simulateChanges"),
	);
	return (
		<Paper withBorder p="md" component="section" aria-label={t("title")}>
			<Stack gap="xs" align="flex-start">
				<Title order={2} size="h3">
					{t("title")}
				</Title>
				<Text>{t("body")}</Text>
				<Button loading={simulate.isPending} onClick={() => simulate.mutate()}>
					{t("button")}
				</Button>
				{simulate.isSuccess ? <Outcome outcome="succeeded" title={t("done")} /> : null}
				{simulate.error ? <ProblemNotice problem={simulate.error} /> : null}
			</Stack>
		</Paper>
	);
}
