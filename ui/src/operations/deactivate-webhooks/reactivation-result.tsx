import { Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ReactivationReport } from "@/bridge";
import { CopyButton } from "@/components/copy-button";
import { NotRecorded } from "@/components/not-recorded";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { Lines } from "@/components/text";
import type { OperationState } from "@/lib/run-store";
import type { Reactivated } from "./use-actions";

/** Result of a reactivation. Rejected webhooks are listed to be activated by hand. */
export function ReactivationResult({ state }: { state: OperationState<ReactivationReport, Reactivated> }) {
	const { t } = useTranslation("deactivateWebhooks");
	if (state.kind === "idle" || state.kind === "running") return null;
	if (state.kind === "failed") return <ProblemNotice problem={state.problem} outcome={state.outcome} />;
	const { service } = state.form.entry;
	if (state.kind === "notSent") return <Outcome outcome="notSent" title={t("log.notSent", { service })} />;
	if (state.kind !== "done") {
		return (
			<>
				<Outcome outcome="unknown" title={t("log.unknown", { service })} />
				{state.kind === "unknown" && state.record === null ? <NotRecorded /> : null}
			</>
		);
	}
	const { webhooks, counts, outcome, recorded } = state.report;
	const refused = webhooks.filter(({ end }) => end.kind === "rejected");
	const reason = refused[0]?.end;
	const { reactivated: done, inactive: count } = counts;
	const title = () => {
		if (outcome === "unknown") return t("log.partlyUnknown", { service });
		if (count === 0) return t("log.wereActive", { service });
		if (done === 0) return t("log.doneNone", { service });
		return done === count ? t("log.done", { service }) : t("log.partly", { count, done, service });
	};
	return (
		<Outcome outcome={outcome === "sent" ? "unknown" : outcome} title={title()}>
			<Stack gap="xs">
				<Lines lines={webhooks.map(({ name, end }) => t(`log.ends.${end.kind}`, { name }))} />
				{recorded ? null : <Text>{t("log.notRecorded")}</Text>}
				{reason?.kind === "rejected" ? (
					<>
						<ProblemNotice problem={reason.problem} />
						<Text>{t("log.byHand")}</Text>
						<Group>
							<CopyButton
								value={[service, ...refused.map(({ name }) => `- ${name}`)].join("\n")}
								label={t("log.copyByHand")}
							/>
						</Group>
					</>
				) : null}
			</Stack>
		</Outcome>
	);
}
