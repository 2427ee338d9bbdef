import { Stack, Table, Text } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { DeactivateReport, DeactivateWebhooksForm, DeactivationView, Millis, Problem, SiteView } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { ProblemNotice } from "@/components/notice";
import type { Done } from "@/components/operation-screen";
import { Outcome, WithIcon } from "@/components/outcome";
import { Breakable, Lines } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useProblemText } from "@/lib/problem-text";
import { useTargetNameOf } from "@/lib/target";
import { DeactivationLog, ReactivationResults } from "./reactivation-results";
import { type Actions, type AskToReactivate, ReactivateAll, useLog } from "./use-reactivation";

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
