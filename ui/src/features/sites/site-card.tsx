import { ActionIcon, Badge, Button, Group, Menu, Paper, Stack, Text, Title } from "@mantine/core";
import { IconDots, IconPencil, IconPlayerStop, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { SiteDot } from "@/components/site-dot";
import { formatAgo } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { usePractice } from "@/lib/queries";
import { siteAccent } from "@/lib/site-color";

interface SiteCardProps {
	site: SiteView;
	onEdit: () => void;
	onRemove: () => void;
}

export function SiteCard({ site, onEdit, onRemove }: SiteCardProps) {
	const { t } = useTranslation(["sites", "common"]);
	const { go } = useNavigation();
	const backend = useBackend();
	const queries = useQueryClient();
	const practising = usePractice().data != null;
	const stop = useMutation({
		mutationFn: () => backend.stopPractice(),
		onSettled: () => queries.invalidateQueries(),
	});
	const edge = `4px ${site.kind === "practice" ? "dashed" : "solid"} ${siteAccent(site.color)}`;
	return (
		<Paper withBorder p="md" role="listitem" aria-label={site.name} style={{ borderInlineStart: edge }}>
			<Stack gap="sm" h="100%">
				<Group justify="space-between" wrap="nowrap" gap="xs">
					<Group gap="xs" wrap="nowrap" miw={0}>
						<SiteDot color={site.color} />
						<Title order={2} size="h3" lineClamp={1} title={site.name}>
							{site.name}
						</Title>
					</Group>
					<Badge variant="default" radius="sm" flex="none">
						{t(`common:kind.${site.kind}`)}
					</Badge>
				</Group>
				<Stack gap={2} flex={1}>
					{[site.portal, site.server]
						.filter((address) => address !== null)
						.map((address) => (
							<Text key={address} size="sm" c="dimmed" truncate title={address}>
								{address}
							</Text>
						))}
				</Stack>
				<Stack gap={2}>
					<Text size="sm">{site.username ? t("card.lastUser", { username: site.username }) : t("card.never")}</Text>
					<Text size="sm">
						{site.lastExport ? t("card.lastExport", { ago: formatAgo(site.lastExport) }) : t("card.noExport")}
					</Text>
				</Stack>
				<Group justify="space-between">
					<Button
						size="xs"
						variant="light"
						aria-label={t("card.openLabel", { site: site.name })}
						onClick={() => go({ page: "overview", site: site.id })}
					>
						{t("card.open")}
					</Button>
					<Menu position="bottom-end">
						<Menu.Target>
							<ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("card.menu", { site: site.name })}>
								<IconDots size={18} stroke={1.5} aria-hidden />
							</ActionIcon>
						</Menu.Target>
						<Menu.Dropdown>
							{site.kind === "practice" ? (
								<Menu.Item
									leftSection={<IconPlayerStop size={16} aria-hidden />}
									disabled={!practising}
									onClick={() => stop.mutate()}
								>
									{t("card.stop")}
								</Menu.Item>
							) : (
								<Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
									{t("card.edit")}
								</Menu.Item>
							)}
							<Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onRemove}>
								{t("card.remove")}
							</Menu.Item>
						</Menu.Dropdown>
					</Menu>
				</Group>
			</Stack>
		</Paper>
	);
}
