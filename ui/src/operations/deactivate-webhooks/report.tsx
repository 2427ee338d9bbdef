import { Group, Stack, Table, Text } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type {
	BatchItemResult,
	BatchResult,
	DeactivateReport,
	DeactivateWebhooksForm,
	DeactivationView,
	Millis,
	Problem,
	ReactivationReport,
	SiteView,
} from "@/bridge";
import { HideResult } from "@/components/after-run";
import { BatchReport } from "@/components/batch-report";
import { CopyButton } from "@/components/copy-field";
import { DoneAt, NotRecorded } from "@/components/done-at";
import { ProblemNotice } from "@/components/notice";
import type { Done } from "@/components/operation-screen";
import { Outcome, WithIcon } from "@/components/outcome";
import { Breakable, Lines } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useProblemText } from "@/lib/problem-text";
import type { OperationState } from "@/lib/runs";
import { serverNameOf, useTargetNameOf } from "@/lib/target";
import { DeactivationLog } from "./deactivation-log";
import {
	type Actions,
	type AskToReactivate,
	hasEnded,
	ReactivateAll,
	type Reactivated,
	useLog,
} from "./use-reactivation";

interface ReportProps {
	site: SiteView;
	done: Done<DeactivateReport, DeactivateWebhooksForm>;
	actions: Actions;
	reactivate: AskToReactivate;
}

/** Result by service, failures first, with the reactivation. */
export function Report({ site, done, actions, reactivate }: ReportProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const { services } = done.report;
	const failed = services.filter(({ problem }) => problem !== null);
	const unsent = services.filter(({ problem, notSent }) => problem === null && notSent);
	const deactivated = services.filter(({ problem, notSent }) => problem === null && !notSent);
	const all = deactivated.length === services.length;
	const { entries: log, left } = useLog(site);
	const ends = resolved(
		deactivated.map(({ service }) => service),
		log,
		done.at,
	);
	const still = deactivated.length - ends.size;
	const title =
		deactivated.length === 0
			? t("none", { site: target })
			: ends.size > 0
				? t("were", { count: deactivated.length, site: target })
				: all
					? t("done", { count: deactivated.length, site: target })
					: t("partly", { deactivated: deactivated.length, count: services.length, site: target });
	return (
		<Stack>
			<Outcome outcome={all ? "succeeded" : deactivated.length === 0 ? "failed" : "warnings"} title={title}>
				<DoneAt at={done.at} />
				{ends.size > 0 ? <CurrentState ends={[...ends.values()]} still={still} /> : null}
				{ends.size === 0 && deactivated.length > 0 ? <Text>{t("staysDeactivated")}</Text> : null}
				{failed.length === 0 ? null : <Text>{t("retry", { count: failed.length })}</Text>}
			</Outcome>
			<Table withTableBorder aria-label={t("services")}>
				<Table.Tbody>
					{[...failed, ...unsent, ...deactivated].map(({ service, problem, notSent }) => (
						<Table.Tr key={service}>
							<Table.Th fw={400} w="50%" mod="anywhere">
								<Breakable>{service}</Breakable>
							</Table.Th>
							<Table.Td>
								{problem === null && notSent ? <WithIcon icon="notSent">{t("notSent")}</WithIcon> : null}
								{problem === null && !notSent ? <Now end={ends.get(service) ?? null} /> : null}
								{problem === null ? null : <Reason problem={problem} />}
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
			<ReactivationResults site={site} actions={actions} reactivate={reactivate} />
			<ProblemNotice problem={reactivate.problem} />
			{left.length > 1 ? <ReactivateAll entries={left} reactivate={reactivate} /> : null}
			<DeactivationLog site={site} reactivate={reactivate} />
		</Stack>
	);
}

/** Current state, shown if entries were resolved or reactivated since the run. */
function CurrentState({ ends, still }: { ends: DeactivationView[]; still: number }) {
	const { t } = useTranslation("deactivateWebhooks");
	if (still > 0) return <Text>{t("stillDeactivated", { count: still })}</Text>;
	const at = formatTime(Math.max(...ends.map(({ resolvedAt, deactivatedAt }) => resolvedAt ?? deactivatedAt)));
	return <Text>{t(ends.some(({ byHand }) => byHand) ? "allResolved" : "allReactivated", { at })}</Text>;
}

/** State of the webhooks of a service now. `end`: the closed entry, or `null` if they are still deactivated. */
function Now({ end }: { end: DeactivationView | null }) {
	const { t } = useTranslation("deactivateWebhooks");
	const at = end ? formatTime(end.resolvedAt ?? end.deactivatedAt) : "";
	return (
		<WithIcon icon={end ? IconBell : IconBellOff}>
			{end ? t(end.byHand ? "wasMarked" : "wasReactivated", { at }) : t("isDeactivated")}
		</WithIcon>
	);
}

function Reason({ problem }: { problem: Problem }) {
	const { title, what, quote } = useProblemText(problem);
	return (
		<WithIcon icon="failed">
			<Lines listStyleType="none" lines={[title, what, quote].filter((line) => line !== null)} />
		</WithIcon>
	);
}

/** Returns, by path, the closed entries of services that a run deactivated. */
function resolved(
	services: readonly string[],
	log: readonly DeactivationView[],
	deactivatedAt: Millis,
): Map<string, DeactivationView> {
	const found = new Map<string, DeactivationView>();
	for (const service of services) {
		const entries = log.filter((entry) => entry.service === service);
		// A service has one open entry at a time; an open one might belong to a later run.
		if (entries.some(({ resolvedAt }) => resolvedAt === null)) continue;
		const since = entries.filter(({ resolvedAt }) => resolvedAt !== null && resolvedAt >= deactivatedAt);
		const newest = since.sort((a, b) => (b.resolvedAt ?? 0) - (a.resolvedAt ?? 0))[0];
		if (newest) found.set(service, newest);
	}
	return found;
}

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
	const { count, reactivated } = countsOf(state.form, parts);
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

/** Whether the same request can succeed later. It cannot if the webhook is gone or cannot be edited. */
function canSucceedLater(problem: Problem): boolean {
	if (problem.kind === "rejected") return ![404, 405, 501].includes(problem.code ?? 0);
	return problem.kind !== "preconditionFailed";
}

/** Whether another reactivation can succeed for a part of an entry. */
function canBeTriedAgain(part: BatchItemResult<ReactivationReport>): boolean {
	if (part.kind === "rejected") return canSucceedLater(part.problem);
	if (part.kind !== "done") return part.kind === "notSent";
	return part.report.webhooks.some(({ end }) =>
		end.kind === "rejected" ? canSucceedLater(end.problem) : end.kind === "notSent",
	);
}

/** Whether an entry stays open although no reactivation can succeed. */
function mustBeResolvedByHand(part: BatchItemResult<ReactivationReport>): boolean {
	const stays =
		part.kind === "rejected" ||
		(part.kind === "done" && part.report.webhooks.some(({ end }) => end.kind === "rejected"));
	return stays && !canBeTriedAgain(part);
}

/** Returns the number of webhooks of several entries, and of those that were reactivated, as the history counts them. */
function countsOf(
	asked: readonly DeactivationView[],
	parts: readonly BatchItemResult<ReactivationReport>[],
): { count: number; reactivated: number } {
	const counts = parts.map((part, at) =>
		part.kind === "done" ? part.report.counts : { inactive: asked[at]?.left?.length ?? 0, reactivated: 0 },
	);
	const sum = (of: "inactive" | "reactivated") => counts.reduce((all, one) => all + one[of], 0);
	return { count: sum("inactive"), reactivated: sum("reactivated") };
}
