import { List, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ProblemNotice } from "@/components/problem-notice";
import { isActiveAgain } from "@/lib/active-again";
import { formatTime } from "@/lib/format";
import { useActiveAgain, useDeactivations } from "@/lib/queries";
import { useReadOnly } from "@/lib/use-read-only";
import { AskReactivation } from "./ask-reactivation";
import { DeactivationEntry } from "./deactivation-entry";
import { ReactivateAll } from "./reactivate-all";
import { ReactivationOfAllResult } from "./reactivation-of-all-result";
import { ReactivationResult } from "./reactivation-result";
import type { ReactivateAll as ReactivateAllRun, Reactivation } from "./use-reactivation";

/** The oldest of what was dealt with is in the history. */
const mostSettled = 20;

interface DeactivationLogProps {
	site: SiteView;
	reactivation: Reactivation;
	reactivateAll: ReactivateAllRun;
}

/** The services whose webhooks were deactivated from here, each with its reactivation. */
export function DeactivationLog({ site, reactivation, reactivateAll }: DeactivationLogProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const deactivations = useDeactivations(site.id);
	const activeAgain = useActiveAgain(site.id);
	const [asking, setAsking] = useState<DeactivationView | null>(null);
	const readOnly = useReadOnly(site);
	const entries = deactivations.data ?? [];
	const open = entries.filter(({ restoredAt }) => restoredAt === null);
	const settled = entries.filter(({ restoredAt }) => restoredAt !== null).slice(0, mostSettled);
	const activeOf = ({ id }: DeactivationView) => activeAgain.get(id) ?? [];
	const left = open.filter((entry) => entry.active?.length && !isActiveAgain(entry, activeOf(entry)));
	const busy = reactivation.isPending || reactivateAll.isPending;
	if (deactivations.error)
		return <ProblemNotice problem={deactivations.error} onRetry={() => void deactivations.refetch()} />;
	const isQuiet = [reactivation, reactivateAll].every(({ data, error }) => !data && !error);
	if (entries.length === 0 && isQuiet) return null;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("log.title")}>
			<Stack gap="md">
				<Title order={2} size="h5">
					{t("log.title")}
				</Title>
				{reactivation.error ? <ProblemNotice problem={reactivation.error} /> : null}
				{reactivation.data && reactivation.variables ? (
					<ReactivationResult ended={reactivation.data} entry={reactivation.variables} />
				) : null}
				{reactivateAll.error ? <ProblemNotice problem={reactivateAll.error} /> : null}
				{reactivateAll.data && reactivateAll.variables ? (
					<ReactivationOfAllResult
						site={site}
						ended={reactivateAll.data}
						entries={reactivateAll.variables}
						onAgain={reactivateAll.mutate}
					/>
				) : null}
				{open.length === 0 ? <Text size="sm">{t("log.nothing")}</Text> : null}
				{left.length > 1 && !readOnly ? (
					<ReactivateAll site={site} entries={left} busy={busy} onReactivate={reactivateAll.mutate} />
				) : null}
				{open.map((entry) => (
					<DeactivationEntry
						key={entry.id}
						site={site}
						entry={entry}
						active={activeOf(entry)}
						busy={busy}
						onReactivate={readOnly ? null : () => setAsking(entry)}
					/>
				))}
				{settled.length > 0 ? (
					<Foldable title={t("log.resolved", { count: settled.length })}>
						<List size="sm" spacing={4}>
							{settled.map((entry) => (
								<List.Item key={entry.id} style={{ overflowWrap: "anywhere" }}>
									{t(entry.byHand ? "log.resolvedByHand" : "log.resolvedHere", {
										service: entry.service,
										at: formatTime(entry.restoredAt ?? entry.deactivatedAt),
										by: entry.restoredBy || t("log.somebody"),
									})}
								</List.Item>
							))}
						</List>
					</Foldable>
				) : null}
			</Stack>
			<AskReactivation
				entry={readOnly ? null : asking}
				site={site}
				onCancel={() => setAsking(null)}
				onConfirm={(entry) => {
					setAsking(null);
					reactivation.mutate(entry);
				}}
			/>
		</Paper>
	);
}
