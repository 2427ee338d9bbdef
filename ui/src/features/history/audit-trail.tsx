import { Button, Group, Menu, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconChevronDown, IconDownload, IconShieldCheck } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type HistorySearch, type TrailFormat, useBackend } from "@/bridge";
import { CopyButton } from "@/components/copy-button";
import { Notice } from "@/components/notice";
import { ProblemNotice } from "@/components/problem-notice";
import { SaveStatus } from "@/components/save-status";
import { formatList, formatNumber } from "@/lib/format";
import { useTrail } from "@/lib/queries/history";
import { queryKeys } from "@/lib/queries/keys";

const formats: readonly TrailFormat[] = ["jsonLines", "syslog", "cef"];

/** Up to which entry the audit trail was verified, its head, and its files. */
export function AuditTrail({ search }: { search: HistorySearch }) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const client = useQueryClient();
	const { data: trail } = useTrail();
	const verify = useMutation({
		mutationFn: () => backend.verifyTrail(),
		onSuccess: (now) => client.setQueryData(queryKeys.trail, now),
	});
	const save = useMutation({ mutationFn: (format: TrailFormat) => backend.saveTrail(search, format) });
	if (!trail) return null;
	const { verifiedThrough, brokenAt, head } = trail;
	return (
		<Stack gap="xs">
			<Group gap="xs">
				<Text>
					{verifiedThrough > 0 ? t("trail.verified", { entry: formatNumber(verifiedThrough) }) : t("trail.notVerified")}
				</Text>
				{head === "" ? null : <CopyButton value={head} label={t("trail.copyHead")} />}
				<Button
					loading={verify.isPending}
					leftSection={<IconShieldCheck size={14} aria-hidden />}
					onClick={() => verify.mutate()}
				>
					{t("trail.verify")}
				</Button>
				<Menu position="bottom-start">
					<Menu.Target>
						<Button
							loading={save.isPending}
							leftSection={<IconDownload size={14} aria-hidden />}
							rightSection={<IconChevronDown size={14} aria-hidden />}
						>
							{t("trail.save.button")}
						</Button>
					</Menu.Target>
					<Menu.Dropdown>
						{formats.map((format) => (
							<Menu.Item key={format} onClick={() => save.mutate(format)}>
								{t(`trail.save.${format}`)}
							</Menu.Item>
						))}
					</Menu.Dropdown>
				</Menu>
			</Group>
			{brokenAt.length > 0 ? (
				<Notice tone="failed" icon={IconAlertTriangle} role="alert" title={t("trail.broken.title")}>
					<Text>{t("trail.broken.body", { entries: formatList(brokenAt.map(formatNumber)) })}</Text>
				</Notice>
			) : null}
			{verify.error ? <ProblemNotice problem={verify.error} /> : null}
			<SaveStatus save={save} label={t("saved.path")} dismissed={t("saved.dismissed")} />
		</Stack>
	);
}
