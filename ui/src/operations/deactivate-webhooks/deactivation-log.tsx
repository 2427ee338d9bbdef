import { List, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ProblemNotice } from "@/components/problem-notice";
import { formatTime } from "@/lib/format";
import { useSilences } from "@/lib/queries";
import { useReadOnly } from "@/lib/use-read-only";
import { AskRestore } from "./ask-restore";
import { DeactivationEntry } from "./deactivation-entry";
import { ReactivationEnd } from "./restore-end";
import type { Restore } from "./use-restore";

/** The oldest of what was dealt with is in the history. */
const mostSettled = 20;

/** The services that were silenced from here, each with its way back. */
export function DeactivationLog({ site, restore }: { site: SiteView; restore: Restore }) {
	const { t } = useTranslation("deactivateWebhooks");
	const silences = useSilences(site.id);
	const [asking, setAsking] = useState<DeactivationView | null>(null);
	const readOnly = useReadOnly(site);
	const entries = silences.data ?? [];
	const open = entries.filter(({ restoredAt }) => restoredAt === null);
	const settled = entries.filter(({ restoredAt }) => restoredAt !== null).slice(0, mostSettled);
	if (silences.error) return <ProblemNotice problem={silences.error} onRetry={() => void silences.refetch()} />;
	if (entries.length === 0 && !restore.data && !restore.error) return null;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("ledger.title")}>
			<Stack gap="md">
				<Title order={2} size="h5">
					{t("ledger.title")}
				</Title>
				{restore.error ? <ProblemNotice problem={restore.error} /> : null}
				{restore.data && restore.variables ? <ReactivationEnd ended={restore.data} entry={restore.variables} /> : null}
				{open.length === 0 ? <Text size="sm">{t("ledger.nothing")}</Text> : null}
				{open.map((entry) => (
					<DeactivationEntry
						key={entry.id}
						site={site}
						entry={entry}
						busy={restore.isPending}
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
