import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { ExportAgeLine } from "@/components/export-age";
import { SiteDot } from "@/components/site-dot";
import { exportAges } from "@/lib/export-age";
import { useNavigation } from "@/lib/navigation";
import { siteAccent } from "@/lib/site-color";
import { CardMenu, type CardMenuProps } from "./card-menu";
import { CardPerson } from "./card-person";
import { CardVersion } from "./card-version";
import { ReadOnlyMark } from "./read-only-mark";

interface SiteCardProps extends CardMenuProps {
	/** By which it is dragged; none where there is nowhere to go. */
	grip: ReactNode;
	/** While it is dragged. */
	raised: boolean;
}

/** A site among others: where it is, who is signed in, how old its copies are. */
export function SiteCard({ grip, raised, ...props }: SiteCardProps) {
	const { site } = props;
	const { t } = useTranslation(["sites", "common"]);
	const { go } = useNavigation();
	const edge = `4px ${site.environment === "practice" ? "dashed" : "solid"} ${siteAccent(site.color)}`;
	return (
		<Paper withBorder p="md" h="100%" shadow={raised ? "lg" : ""} style={{ borderInlineStart: edge }}>
			<Stack gap="sm" h="100%">
				<Group justify="space-between" gap="xs">
					<Group gap="xs" wrap="nowrap" miw={0} flex="1 1 8rem">
						<SiteDot color={site.color} />
						<Title order={2} size="h3" lineClamp={2} title={site.name} style={{ overflowWrap: "anywhere" }}>
							{site.name}
						</Title>
					</Group>
					<Badge
						radius="sm"
						flex="none"
						{...(site.environment === "production"
							? { variant: "filled", color: "var(--mantine-color-text)", c: "var(--mantine-color-body)" }
							: { variant: "default" })}
					>
						{t(`common:kind.${site.environment}`)}
					</Badge>
				</Group>
				<Stack gap={2} flex={1}>
					<Addresses site={site} />
					<CardVersion site={site} />
				</Stack>
				<Stack gap={2}>
					<ReadOnlyMark site={site} />
					<CardPerson site={site} />
					{exportAges(site).map((age) => (
						<ExportAgeLine key={age.area} age={age} />
					))}
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
					<Group gap={0}>
						{grip}
						<CardMenu {...props} />
					</Group>
				</Group>
			</Stack>
		</Paper>
	);
}

function Addresses({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const more = site.servers.length - 1;
	return [site.portal, site.server]
		.filter((address) => address !== null)
		.map((address) => (
			<Text key={address} size="sm" c="dimmed" truncate title={address}>
				{address}
				{address === site.server && more > 0 ? ` ${t("card.moreServers", { count: more })}` : ""}
			</Text>
		));
}
