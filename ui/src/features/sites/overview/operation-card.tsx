import { Group, Paper, Stack, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { SessionView, SiteView } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import type { OperationUi } from "@/lib/operation-ui";
import { hindranceOf, unavailableAdvice, unavailableText } from "@/lib/unavailable-text";
import { useReadOnly } from "@/lib/use-read-only";
import classes from "./operation-card.module.css";

interface OperationCardProps {
	ui: OperationUi;
	site: SiteView;
	session: SessionView;
}

export function OperationCard({ ui, site, session }: OperationCardProps) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	const readOnly = useReadOnly(site);
	const obstacle = hindranceOf(session, ui.key, readOnly);
	const Icon = ui.icon;
	return (
		<Paper
			component="button"
			type="button"
			withBorder
			p="sm"
			className={classes.card ?? ""}
			data-locked={obstacle !== null || undefined}
			onClick={() => go({ page: "operation", site: site.id, key: ui.key })}
		>
			<Group gap="sm" wrap="nowrap" align="flex-start">
				<Icon size={22} stroke={1.5} className={classes.icon ?? ""} aria-hidden />
				<Stack gap={2} miw={0} flex={1}>
					<Text size="md" fw={600}>
						{t(`operation.${ui.key}.name`)}
					</Text>
					<Text size="sm" c="dimmed">
						{t(`operation.${ui.key}.what`)}
					</Text>
					{obstacle ? (
						<Group gap={4} wrap="nowrap" align="flex-start">
							<IconLock size={14} stroke={1.5} aria-hidden className={classes.lock ?? ""} />
							<Text size="sm">
								{unavailableText(t, obstacle)} {unavailableAdvice(t, obstacle)}
							</Text>
						</Group>
					) : null}
				</Stack>
			</Group>
		</Paper>
	);
}
