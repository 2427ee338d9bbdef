import { Group, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BatchItemResult, BatchResult, DeactivationView, ReactivationReport, SiteView } from "@/bridge";
import { HideResult } from "@/components/after-run";
import { BatchReport } from "@/components/batch-report";
import { CopyButton } from "@/components/copy-field";
import { ProblemNotice } from "@/components/notice";
import { NotRecorded, Outcome } from "@/components/outcome";
import { Lines } from "@/components/text";
import type { OperationState } from "@/lib/runs";
import { serverNameOf, useTargetNameOf } from "@/lib/target";
import { canBeTriedAgain, endOfSeveral, mustBeResolvedByHand } from "./use-choice";
import { type Actions, type AskToReactivate, hasEnded, ReactivateAll, type Reactivated } from "./use-reactivation";

interface ReactivationResultsProps {
	site: SiteView;
	actions: Actions;
	reactivate: AskToReactivate;
}

/** Results of the last reactivation, until the user hides them. */
export function ReactivationResults({ site, actions, reactivate }: ReactivationResultsProps) {
	const { reactivation, reactivateAll } = actions;
	const ended = [reactivation, reactivateAll].filter(({ state }) => hasEnded(state));
	if (ended.length === 0) return null;
	return (
		<Stack gap="xs">
			<ReactivationResult state={reactivation.state} />
			<ReactivationOfAllResult site={site} state={reactivateAll.state} reactivate={reactivate} />
			<HideResult
				onHide={() => {
					for (const action of ended) action.reset();
				}}
			/>
		</Stack>
	);
}

/** Result of a reactivation. Rejected webhooks are listed to be activated by hand. */
function ReactivationResult({ state }: { state: OperationState<ReactivationReport, Reactivated> }) {
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

interface ReactivationOfAllResultProps {
	site: SiteView;
	state: OperationState<BatchResult<ReactivationReport>, readonly DeactivationView[]>;
	reactivate: AskToReactivate;
}

function ReactivationOfAllResult({ site, state, reactivate }: ReactivationOfAllResultProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	if (state.kind === "idle" || state.kind === "running") return null;
	if (state.kind === "failed") return <ProblemNotice problem={state.problem} outcome={state.outcome} />;
	if (state.kind !== "done") {
		return <Outcome outcome="notSent" title={t("reactivationOfAll.notSent", { site: target })} />;
	}
	const { parts } = state.report;
	const done = parts.flatMap((part) => (part.kind === "done" ? [part.report] : []));
	const { count, reactivated, outcome } = endOfSeveral(state.form, parts);
	const about = { site: target, done: reactivated };
	const title = () => {
		if (reactivated === 0) return t("reactivationOfAll.none", about);
		return reactivated === count
			? t("reactivationOfAll.done", { ...about, count })
			: t("reactivationOfAll.partly", { ...about, count });
	};
	const left = parts.filter(mustBeResolvedByHand).length;
	const namesOf = (part: BatchItemResult<ReactivationReport>) =>
		part.kind === "done" ? part.report.webhooks.map(({ name, end }) => t(`log.ends.${end.kind}`, { name })) : [];
	return (
		<BatchReport
			site={site}
			at={state.at}
			asked={state.form}
			report={state.report}
			outcome={outcome}
			endOf={({ outcome }) => outcome}
			title={title()}
			lost={t("reactivationOfAll.lost")}
			table={{
				label: t("reactivationOfAll.table"),
				pages: t("reactivationOfAll.pages"),
				headings: [t("reactivationOfAll.service"), t("reactivationOfAll.webhooks")],
				keyOf: ({ id }) => id,
				cells: ({ service }, part) => (
					<>
						<Table.Td mod="anywhere">{service}</Table.Td>
						<Table.Td>
							{namesOf(part).map((line) => (
								<Text key={line} mod="anywhere">
									{line}
								</Text>
							))}
						</Table.Td>
					</>
				),
			}}
			file={{
				what: t("reactivationOfAll.file"),
				server: serverNameOf("deactivate_webhooks", site),
				before: [[t("reactivationOfAll.service"), ({ service }) => service]],
				after: [[t("reactivationOfAll.webhooks"), (_, part) => namesOf(part).join("; ")]],
			}}
			mayFollow={canBeTriedAgain}
			again={(rest) => (
				<ReactivateAll
					entries={rest}
					label={t("reactivationOfAll.again", { count: rest.length })}
					reactivate={reactivate}
				/>
			)}
		>
			{left === 0 ? null : <Text>{t("reactivationOfAll.left", { count: left })}</Text>}
			{done.every(({ recorded }) => recorded) ? null : <NotRecorded several />}
		</BatchReport>
	);
}
