import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { Card } from "@/components/section";
import { useCommand } from "@/lib/use-command";

/** Changes the configuration of the practice site as another administrator could have done, for the page of changes. */
export function SimulateChanges() {
	const { t } = useTranslation("practice", { keyPrefix: "changes" });
	const simulate = useCommand(
		(backend) => backend.simulateChanges(),
		(stale) => stale("simulateChanges"),
	);
	return (
		<Card title={t("title")} align="flex-start">
			<Text>{t("body")}</Text>
			<Button loading={simulate.isPending} onClick={() => simulate.mutate()}>
				{t("button")}
			</Button>
			{simulate.isSuccess ? <Outcome outcome="succeeded" title={t("done")} /> : null}
			{simulate.error ? <ProblemNotice problem={simulate.error} /> : null}
		</Card>
	);
}
