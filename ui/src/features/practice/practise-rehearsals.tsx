import { Button, Paper, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ProblemNotice } from "@/components/problem-notice";
import { useNavigation } from "@/lib/navigation";
import { setSession } from "@/lib/queries/session";
import { useCommand } from "@/lib/use-command";

/** Starts the practice site that is marked as test, on which backup sets of this one are rehearsed. */
export function PractiseRehearsals() {
	const { t } = useTranslation("practice", { keyPrefix: "rehearsals" });
	const queries = useQueryClient();
	const { go } = useNavigation();
	const start = useCommand(
		(backend) => backend.startPracticeTest(),
		(stale) => stale("startPracticeTest"),
		{
			onDone: (session) => {
				setSession(queries, session);
				go({ page: "overview", site: session.site });
			},
		},
	);
	return (
		<Paper withBorder p="md" component="section" aria-label={t("title")}>
			<Stack gap="xs" align="flex-start">
				<Title order={2} size="h3">
					{t("title")}
				</Title>
				<Text>{t("body")}</Text>
				<Button loading={start.isPending} onClick={() => start.mutate()}>
					{t("button")}
				</Button>
				{start.error ? <ProblemNotice problem={start.error} /> : null}
			</Stack>
		</Paper>
	);
}
