import { Button, Group, Popover, Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type DeactivationView, type SiteView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { queryKeys } from "@/lib/queries";

/** For webhooks that were activated by hand or stay deactivated. */
export function ResolveButton({ site, entry }: { site: SiteView; entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const backend = useBackend();
	const queries = useQueryClient();
	const [asking, setAsking] = useState(false);
	const settle = useMutation({
		mutationFn: () => backend.resolveDeactivation(site.id, entry.id),
		onSuccess: () => {
			void queries.invalidateQueries({ queryKey: queryKeys.overviews });
			return queries.invalidateQueries({ queryKey: queryKeys.deactivations(site.id) });
		},
	});
	return (
		<Popover opened={asking} onChange={setAsking} trapFocus returnFocus width={320} shadow="md" position="bottom-start">
			<Popover.Target>
				<Button
					size="xs"
					variant="default"
					leftSection={<IconCheck size={14} aria-hidden />}
					aria-label={t("log.resolveLabel", { service: entry.service })}
					onClick={() => setAsking(!asking)}
				>
					{t("log.resolve")}
				</Button>
			</Popover.Target>
			<Popover.Dropdown aria-label={t("log.resolve")}>
				<Stack gap="xs">
					<Text size="sm">{t("log.resolveBody")}</Text>
					{settle.error ? <ProblemNotice problem={settle.error} /> : null}
					<Group justify="flex-end" gap="xs">
						<Button size="xs" variant="default" onClick={() => setAsking(false)} data-autofocus>
							{t("cancel")}
						</Button>
						<Button size="xs" loading={settle.isPending} onClick={() => settle.mutate()}>
							{t("log.resolveConfirm")}
						</Button>
					</Group>
				</Stack>
			</Popover.Dropdown>
		</Popover>
	);
}
