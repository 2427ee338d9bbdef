import { List, Paper, Stack, Text, Title } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { HideResult } from "@/components/hide-result";
import { ProblemNotice } from "@/components/problem-notice";
import { isActiveAgain, stillInactive } from "@/lib/active-again";
import { formatTime } from "@/lib/format";
import { useActiveAgain, useDeactivations, useLogComparison } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useReadFirst } from "@/lib/use-read-first";
import { useReadOnly } from "@/lib/use-read-only";
import { AskReactivation } from "./ask-reactivation";
import { DeactivationEntry } from "./deactivation-entry";
import { ReactivateAll } from "./reactivate-all";
import { ReactivationOfAllResult } from "./reactivation-of-all-result";
import { ReactivationResult } from "./reactivation-result";
import { type Actions, hasEnded } from "./use-actions";

/** The oldest of what was dealt with is in the history. */
const mostSettled = 20;

interface DeactivationLogProps {
	site: SiteView;
	actions: Actions;
}

/** The services whose webhooks were deactivated from here, each with its reactivation. */
export function DeactivationLog({ site, actions: { reactivation, reactivateAll } }: DeactivationLogProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const deactivations = useDeactivations(serverOf(site));
	const activeAgain = useActiveAgain(serverOf(site));
	const [asking, setAsking] = useState<DeactivationView | null>(null);
	const readOnly = useReadOnly(site);
	const entries = deactivations.data ?? [];
	const open = entries.filter(({ resolvedAt }) => resolvedAt === null);
	const settled = entries.filter(({ resolvedAt }) => resolvedAt !== null).slice(0, mostSettled);
	const compare = useLogComparison(serverOf(site));
	const wanted = useRef<DeactivationView | null>(null);
	const read = useReadFirst(compare, (fresh) => {
		const entry = wanted.current;
		const now = fresh?.find((one) => one.entry === entry?.id)?.webhooks ?? [];
		// One that is active again is shown so in the log.
		setAsking(entry && !isActiveAgain(entry, now) ? entry : null);
	});
	const activeOf = ({ id }: DeactivationView) => activeAgain.get(id) ?? [];
	const left = open.filter((entry) => entry.active?.length && !isActiveAgain(entry, activeOf(entry)));
	const busy = reactivation.running || reactivateAll.running || read.isReading;
	const failed = deactivations.error ? (
		<ProblemNotice problem={deactivations.error} onRetry={() => void deactivations.refetch()} />
	) : null;
	const ended = [reactivation, reactivateAll].filter(({ state }) => hasEnded(state));
	if (entries.length === 0 && ended.length === 0) return failed;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("log.title")}>
			<Stack gap="md">
				<Title order={2} size="h5">
					{t("log.title")}
				</Title>
				{failed}
				<ReactivationResult state={reactivation.state} />
				<ReactivationOfAllResult
					site={site}
					state={reactivateAll.state}
					compare={compare}
					onAgain={reactivateAll.start}
				/>
				{ended.length > 0 ? (
					<HideResult
						onHide={() => {
							for (const action of ended) action.reset();
						}}
					/>
				) : null}
				{read.problem ? <ProblemNotice problem={read.problem} /> : null}
				{open.length === 0 && deactivations.data ? <Text>{t("log.nothing")}</Text> : null}
				{left.length > 1 && !readOnly ? (
					<ReactivateAll
						site={site}
						entries={left}
						label={t("reactivationOfAll.open", { count: left.length })}
						busy={busy}
						compare={compare}
						onReactivate={reactivateAll.start}
					/>
				) : null}
				{open.map((entry) => (
					<DeactivationEntry
						key={entry.id}
						site={site}
						entry={entry}
						active={activeOf(entry)}
						busy={busy}
						onReactivate={
							readOnly
								? null
								: () => {
										wanted.current = entry;
										read.ask();
									}
						}
					/>
				))}
				{settled.length > 0 ? (
					<Foldable title={t("log.resolved", { count: settled.length })}>
						<List spacing={4}>
							{settled.map((entry) => (
								<List.Item key={entry.id} style={{ overflowWrap: "anywhere" }}>
									{t(entry.byHand ? "log.resolvedByHand" : "log.resolvedHere", {
										service: entry.service,
										at: formatTime(entry.resolvedAt ?? entry.deactivatedAt),
										by: entry.restoredBy || t("log.unknownUser"),
									})}
								</List.Item>
							))}
						</List>
					</Foldable>
				) : null}
			</Stack>
			<AskReactivation
				opened={asking !== null && !readOnly}
				service={asking?.service ?? ""}
				names={asking ? stillInactive(asking, activeOf(asking)) : []}
				site={site}
				onCancel={() => setAsking(null)}
				onConfirm={(reason) => {
					setAsking(null);
					if (asking) reactivation.start({ entry: asking, webhook: null }, reason);
				}}
			/>
		</Paper>
	);
}
