import { List, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ProblemNotice } from "@/components/problem-notice";
import { formatTime } from "@/lib/format";
import { useActiveAgain, useSilences } from "@/lib/queries";
import { useReadOnly } from "@/lib/use-read-only";
import { AskRestore } from "./ask-restore";
import { DeactivationEntry } from "./deactivation-entry";
import { isActiveAgain } from "./entry-state";
import { RestoreAll } from "./restore-all";
import { RestoreAllEnd } from "./restore-all-end";
import { ReactivationEnd } from "./restore-end";
import type { Restore, RestoreAll as RestoreAllRun } from "./use-restore";

/** The oldest of what was dealt with is in the history. */
const mostSettled = 20;

interface DeactivationLogProps {
	site: SiteView;
	restore: Restore;
	restoreAll: RestoreAllRun;
}

/** The services that were silenced from here, each with its way back. */
export function DeactivationLog({ site, restore, restoreAll }: DeactivationLogProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const silences = useSilences(site.id);
	const activeAgain = useActiveAgain(site.id);
	const [asking, setAsking] = useState<DeactivationView | null>(null);
	const readOnly = useReadOnly(site);
	const entries = silences.data ?? [];
	const open = entries.filter(({ restoredAt }) => restoredAt === null);
	const settled = entries.filter(({ restoredAt }) => restoredAt !== null).slice(0, mostSettled);
	const activeOf = ({ id }: DeactivationView) => activeAgain.get(id) ?? [];
	const left = open.filter((entry) => entry.active?.length && !isActiveAgain(entry, activeOf(entry)));
	const busy = restore.isPending || restoreAll.isPending;
	if (silences.error) return <ProblemNotice problem={silences.error} onRetry={() => void silences.refetch()} />;
	const isQuiet = [restore, restoreAll].every(({ data, error }) => !data && !error);
	if (entries.length === 0 && isQuiet) return null;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("ledger.title")}>
			<Stack gap="md">
				<Title order={2} size="h5">
					{t("ledger.title")}
				</Title>
				{restore.error ? <ProblemNotice problem={restore.error} /> : null}
				{restore.data && restore.variables ? <ReactivationEnd ended={restore.data} entry={restore.variables} /> : null}
				{restoreAll.error ? <ProblemNotice problem={restoreAll.error} /> : null}
				{restoreAll.data && restoreAll.variables ? (
					<RestoreAllEnd
						site={site}
						ended={restoreAll.data}
						entries={restoreAll.variables}
						onAgain={restoreAll.mutate}
					/>
				) : null}
				{open.length === 0 ? <Text size="sm">{t("ledger.nothing")}</Text> : null}
				{left.length > 1 && !readOnly ? (
					<RestoreAll site={site} entries={left} busy={busy} onRestore={restoreAll.mutate} />
				) : null}
				{open.map((entry) => (
					<DeactivationEntry
						key={entry.id}
						site={site}
						entry={entry}
						active={activeOf(entry)}
						busy={busy}
						onRestore={readOnly ? null : () => setAsking(entry)}
					/>
				))}
				{settled.length > 0 ? (
					<Foldable title={t("ledger.settled", { count: settled.length })}>
						<List size="sm" spacing={4}>
							{settled.map((entry) => (
								<List.Item key={entry.id} style={{ overflowWrap: "anywhere" }}>
									{t(entry.byHand ? "ledger.settledByHand" : "ledger.settledHere", {
										service: entry.service,
										at: formatTime(entry.restoredAt ?? entry.deactivatedAt),
										by: entry.restoredBy || t("ledger.somebody"),
									})}
								</List.Item>
							))}
						</List>
					</Foldable>
				) : null}
			</Stack>
			<AskRestore
				entry={readOnly ? null : asking}
				site={site}
				onCancel={() => setAsking(null)}
				onConfirm={(entry) => {
					setAsking(null);
					restore.mutate(entry);
				}}
			/>
		</Paper>
	);
}
