import { Button, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Ended, type RestoreReport, type SilenceView, type SiteView, useBackend } from "@/bridge";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { formatList, formatTime } from "@/lib/format";
import { queryKeys, useSilences } from "@/lib/queries";

const day = 24 * 3_600_000;

/**
 * The way back of a service. It is a run of this screen's operation, which hides the list while it lasts: what came of
 * it must be kept above the list.
 */
export function useRestore(site: SiteView) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (entry: SilenceView) => backend.restoreWebhooks(site.id, crypto.randomUUID(), entry.id),
		onSettled: () => queries.invalidateQueries({ queryKey: ["site", site.id] }),
	});
}

export type Restore = ReturnType<typeof useRestore>;

/** The services that were silenced from here, each with its way back. */
export function Ledger({ site, restore }: { site: SiteView; restore: Restore }) {
	const { t } = useTranslation("deactivateWebhooks");
	const silences = useSilences(site.id);
	const open = (silences.data ?? []).filter(({ restoredAt }) => restoredAt === null);
	if (silences.error) return <ProblemNotice problem={silences.error} onRetry={() => void silences.refetch()} />;
	if (open.length === 0 && !restore.data && !restore.error) return null;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("ledger.title")}>
			<Stack gap="sm">
				<Title order={2} size="h5">
					{t("ledger.title")}
				</Title>
				{restore.error ? <ProblemNotice problem={restore.error} /> : null}
				{restore.data ? <End ended={restore.data} service={restore.variables?.service ?? ""} /> : null}
				{open.map((entry) => (
					<Entry
						key={entry.id}
						site={site}
						entry={entry}
						busy={restore.isPending}
						onRestore={() => restore.mutate(entry)}
					/>
				))}
			</Stack>
		</Paper>
	);
}

interface EntryProps {
	site: SiteView;
	entry: SilenceView;
	busy: boolean;
	onRestore: () => void;
}

function Entry({ site, entry, busy, onRestore }: EntryProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const backend = useBackend();
	const queries = useQueryClient();
	const remind = useMutation({
		mutationFn: () => backend.remindMe(entry.id, Date.now() + day),
		onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.silences(site.id) }),
	});
	const about = { at: formatTime(entry.silencedAt), by: entry.by };
	const { service } = entry;
	return (
		<Group justify="space-between" align="flex-start">
			<Stack gap={0} miw={0} flex={1} style={{ overflowWrap: "anywhere" }}>
				<Text size="sm" fw={500}>
					{service}
				</Text>
				<Text size="sm" c="dimmed">
					{entry.known ? t("ledger.since", about) : t("ledger.uncertain", about)}
				</Text>
				{entry.why ? <Text size="sm">{entry.why}</Text> : null}
				<Text size="sm">
					{entry.active === null
						? t("ledger.notKnown")
						: entry.active.length === 0
							? t("ledger.noneActive")
							: t("ledger.active", { names: formatList(entry.active) })}
				</Text>
				{entry.remindAt ? <Text size="sm">{t("ledger.reminding", { at: formatTime(entry.remindAt) })}</Text> : null}
				{remind.error ? <ProblemNotice problem={remind.error} /> : null}
			</Stack>
			<Group gap="xs">
				<Button
					size="xs"
					variant="default"
					aria-label={t("ledger.remindLabel", { service })}
					loading={remind.isPending}
					onClick={() => remind.mutate()}
				>
					{t("ledger.remind")}
				</Button>
				{entry.active === null ? null : (
					<Button size="xs" aria-label={t("ledger.restoreLabel", { service })} loading={busy} onClick={onRestore}>
						{t("ledger.restore")}
					</Button>
				)}
			</Group>
		</Group>
	);
}

function End({ ended, service }: { ended: Ended<RestoreReport>; service: string }) {
	const { t } = useTranslation("deactivateWebhooks");
	if (ended.kind !== "done") return <Outcome outcome="unknown" title={t("ledger.unknown", { service })} />;
	const { webhooks } = ended.report;
	const refused = webhooks.some(({ end }) => end.kind === "refused");
	return (
		<Outcome
			outcome={refused ? "warnings" : "succeeded"}
			title={refused ? t("ledger.partly", { service }) : t("ledger.done", { service })}
		>
			<List size="sm">
				{webhooks.map(({ name, end }) => (
					<List.Item key={name}>
						{t(`ledger.ends.${end.kind}`, { name })}
						{end.kind === "refused" ? <ProblemNotice problem={end.problem} /> : null}
					</List.Item>
				))}
			</List>
		</Outcome>
	);
}
