import { Group, List, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DeactivationView, ReactivationReport, RunResult } from "@/bridge";
import { CopyButton } from "@/components/copy-button";
import { NotRecorded } from "@/components/not-recorded";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";

/** What came of a restoration; what the server refused, as a list to activate by hand. */
export function ReactivationEnd({ ended, entry }: { ended: RunResult<ReactivationReport>; entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const { service } = entry;
	if (ended.kind === "notSent") return <Outcome outcome="notSent" title={t("ledger.notSent", { service })} />;
	if (ended.kind !== "done") {
		return (
			<>
				<Outcome outcome="unknown" title={t("ledger.unknown", { service })} />
				{ended.kind === "unknown" && ended.record === null ? <NotRecorded /> : null}
			</>
		);
	}
	const { webhooks, recorded } = ended.report;
	const refused = webhooks.filter(({ end }) => end.kind === "refused");
	const reason = refused[0]?.end;
	return (
		<Outcome
			outcome={refused.length > 0 ? "warnings" : "succeeded"}
			title={refused.length > 0 ? t("ledger.partly", { service }) : t("ledger.done", { service })}
		>
			<Stack gap="xs">
				<List size="sm">
					{webhooks.map(({ name, end }) => (
						<List.Item key={name} style={{ overflowWrap: "anywhere" }}>
							{t(`ledger.ends.${end.kind}`, { name })}
						</List.Item>
					))}
				</List>
				{recorded ? null : <Text size="sm">{t("ledger.notRecorded")}</Text>}
				{reason?.kind === "refused" ? (
					<>
						<ProblemNotice problem={reason.problem} />
						<Text size="sm">{t("ledger.byHand")}</Text>
						<Group>
							<CopyButton
								value={[service, ...refused.map(({ name }) => `- ${name}`)].join("\n")}
								label={t("ledger.copyByHand")}
							/>
						</Group>
					</>
				) : null}
			</Stack>
		</Outcome>
	);
}
