import { Paper, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ProblemNotice } from "@/components/problem-notice";
import { Lines } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useDeactivations } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { DeactivationEntry } from "./deactivation-entry";
import { useLog } from "./use-log";
import type { AskToReactivate } from "./use-reactivation";

/** Older resolved entries are in the history only. */
const mostResolved = 20;

interface DeactivationLogProps {
	site: SiteView;
	reactivate: AskToReactivate;
}

/** Services whose webhooks the app deactivated, each with its reactivation. */
export function DeactivationLog({ site, reactivate: { ask, busy } }: DeactivationLogProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const { error, refetch } = useDeactivations(serverOf(site));
	const { entries, isRead, open, gone } = useLog(site);
	const resolved = entries.filter(({ resolvedAt }) => resolvedAt !== null).slice(0, mostResolved);
	const failed = error ? <ProblemNotice problem={error} onRetry={() => void refetch()} /> : null;
	if (entries.length === 0) return failed;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("log.title")}>
			<Stack gap="md">
				<Title order={2} size="h5">
					{t("log.title")}
				</Title>
				{failed}
				{open.length === 0 && isRead ? <Text>{t("log.nothing")}</Text> : null}
				{open.map((entry) => (
					<DeactivationEntry
						key={entry.id}
						site={site}
						entry={entry}
						isGone={gone.has(entry.id)}
						busy={busy}
						onReactivate={ask === null ? null : () => ask([entry])}
					/>
				))}
				{resolved.length > 0 ? (
					<Foldable title={t("log.resolved", { count: resolved.length })}>
						<Lines
							spacing={4}
							lines={resolved.map((entry) =>
								t(entry.byHand ? "log.resolvedByHand" : "log.resolvedHere", {
									service: entry.service,
									at: formatTime(entry.resolvedAt ?? entry.deactivatedAt),
									by: entry.restoredBy || t("log.unknownUser"),
								}),
							)}
						/>
					</Foldable>
				) : null}
			</Stack>
		</Paper>
	);
}
