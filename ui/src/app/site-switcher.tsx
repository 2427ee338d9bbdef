import { Badge, Button, Menu, Text } from "@mantine/core";
import { IconCheck, IconLayoutGrid, IconPlus, IconSelector } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { SiteDot } from "@/components/site-dot";
import { useNavigation } from "@/lib/navigation";

export function SiteSwitcher({ sites, site }: { sites: SiteView[]; site: SiteView | null }) {
	const { t } = useTranslation();
	const { place, go } = useNavigation();
	const name = site?.name ?? (place.page === "sites" ? t("nav.allSites") : null);
	return (
		<Menu position="bottom-start" width={280}>
			<Menu.Target>
				<Button
					fullWidth
					size="sm"
					justify="space-between"
					aria-label={name === null ? t("nav.chooseSite") : t("nav.chosenSite", { site: name })}
					leftSection={
						site ? (
							<SiteDot color={site.color} />
						) : name === null ? null : (
							<IconLayoutGrid size={16} stroke={1.5} aria-hidden />
						)
					}
					rightSection={<IconSelector size={16} stroke={1.5} aria-hidden />}
					styles={{ label: { flex: 1, textAlign: "start" } }}
				>
					<Text fw={400} truncate title={site?.name}>
						{name ?? t("nav.chooseSite")}
					</Text>
				</Button>
			</Menu.Target>
			<Menu.Dropdown>
				{sites.map((one) => (
					<Menu.Item
						key={one.id}
						leftSection={<SiteDot color={one.color} />}
						rightSection={
							one.id === site?.id ? (
								<IconCheck size={16} aria-hidden />
							) : (
								<Badge variant="default" radius="sm">
									{t(`kind.${one.environment}`)}
								</Badge>
							)
						}
						onClick={() => go({ page: "overview", site: one.id })}
					>
						<Text truncate title={one.name}>
							{one.name}
						</Text>
					</Menu.Item>
				))}
				{sites.length > 0 ? <Menu.Divider /> : null}
				<Menu.Item
					leftSection={<IconLayoutGrid size={16} stroke={1.5} aria-hidden />}
					aria-current={place.page === "sites" ? "page" : undefined}
					onClick={() => go({ page: "sites" })}
				>
					{t("nav.allSites")}
				</Menu.Item>
				<Menu.Item
					leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
					onClick={() => go({ page: "add-site" })}
				>
					{t("nav.addSite")}
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
	);
}
