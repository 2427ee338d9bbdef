import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconShieldCheck } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type HistorySearch, useBackend } from "@/bridge";
import { Notice } from "@/components/notice";
import { ProblemNotice } from "@/components/problem-notice";
import { SaveStatus } from "@/components/save-status";
import { formatList, formatNumber, formatTime } from "@/lib/format";
import { useTrail } from "@/lib/queries/history";
import { queryKeys } from "@/lib/queries/keys";
import { joined } from "@/messages/isolated";
import { useSaveTrail } from "./save-trail";
import { TrailEvents } from "./trail-events";
import { TrailMenu } from "./trail-menu";

/** Up to which event the audit trail was verified, its head, its events, and its files. */
export function AuditTrail({ search }: { search: HistorySearch }) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const client = useQueryClient();
	const verify = useMutation({
		mutationFn: () => backend.verifyTrail(),
		onSuccess: (now) => client.setQueryData(queryKeys.trail, now),
	});
	const { data: trail } = useTrail(verify.isPending);
	const stop = useMutation({ mutationFn: () => backend.stopTrailVerification() });
	const save = useSaveTrail(search, []);
	const [shows, setShows] = useState(false);
	if (!trail) return null;
	const { verifiedThrough, brokenAt, rolledBack, head, verifying } = trail;
	return (
		<Stack gap="xs">
			<Group gap="xs" wrap="nowrap">
				<Text role="status" miw={0}>
					{joined(
						[
							verifiedThrough > 0
								? t("trail.verified", { event: formatNumber(verifiedThrough) })
								: t("trail.notVerified"),
							// The number alone is the same where nothing was added.
							...(verify.isSuccess ? [formatTime(verify.submittedAt)] : []),
						],
						", ",
					)}
				</Text>
				{verifying === null ? (
					<Button
						flex="none"
						loading={verify.isPending}
						leftSection={<IconShieldCheck size={14} aria-hidden />}
						onClick={() => verify.mutate()}
					>
						{t("trail.verify")}
					</Button>
				) : (
					<Button flex="none" loading={stop.isPending} onClick={() => stop.mutate()}>
						{t("trail.stopVerification")}
					</Button>
				)}
				<TrailMenu head={head} save={save} onShowEvents={() => setShows(true)} />
			</Group>
			{verifying === null ? null : (
				<Stack gap={4}>
					<Progress value={(verifying.done / Math.max(1, verifying.total)) * 100} aria-label={t("trail.progress")} />
					<Text c="dimmed">
						{t("trail.verifying", { done: formatNumber(verifying.done), total: formatNumber(verifying.total) })}
					</Text>
				</Stack>
			)}
			{brokenAt.length > 0 ? (
				<Notice tone="failed" icon={IconAlertTriangle} role="alert" title={t("trail.broken.title")}>
					<Text>{t("trail.broken.body", { events: formatList(brokenAt.map(formatNumber)) })}</Text>
				</Notice>
			) : null}
			{rolledBack.length > 0 ? (
				<Notice tone="failed" icon={IconAlertTriangle} role="alert" title={t("trail.rolledBack.title")}>
					{rolledBack.map(({ entry, isForwarded }) => (
						<Text key={`${entry} ${isForwarded}`}>
							{t(isForwarded ? "trail.rolledBack.forwarded" : "trail.rolledBack.dailyCopy", {
								event: formatNumber(entry),
							})}
						</Text>
					))}
				</Notice>
			) : null}
			<TrailEvents search={search} opened={shows} onClose={() => setShows(false)} />
			{verify.error ? <ProblemNotice problem={verify.error} /> : null}
			<SaveStatus save={save} label={t("saved.path")} dismissed={t("saved.dismissed")} />
		</Stack>
	);
}
