import { Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BatchItemResult, BatchResult, DeactivationView, ReactivationReport, SiteView } from "@/bridge";
import { BatchReport } from "@/components/batch-report";
import { NotRecorded } from "@/components/not-recorded";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import type { OperationState } from "@/lib/run-store";
import { serverNameOf, useTargetNameOf } from "@/lib/target-name";
import { ReactivateAll } from "./reactivate-all";
import type { AskToReactivate } from "./use-reactivation";
import { canBeTriedAgain, endOfSeveral, mustBeResolvedByHand } from "./webhooks";

interface ReactivationOfAllResultProps {
	site: SiteView;
	state: OperationState<BatchResult<ReactivationReport>, readonly DeactivationView[]>;
	reactivate: AskToReactivate;
}

export function ReactivationOfAllResult({ site, state, reactivate }: ReactivationOfAllResultProps) {
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
