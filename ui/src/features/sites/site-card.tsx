import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { ExportAgeLine } from "@/components/export-age";
import { SiteDot } from "@/components/site-dot";
import { exportAges } from "@/lib/export-age";
import { formatDay, formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useKnownSession } from "@/lib/queries";
import { siteAccent } from "@/lib/site-color";
import { unlockedUntil } from "@/lib/unlocked-until";
import { useNow } from "@/lib/use-now";
import { CardMenu, type CardMenuProps } from "./card-menu";

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
						<Title order={2} size="h3" lineClamp={3} title={site.name} style={{ overflowWrap: "anywhere" }}>
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

/** Who is signed in and until when; otherwise who was last. The site is not asked for it. */
function CardPerson({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const session = useKnownSession(site);
	if (session) {
		return (
			<Text size="sm">
				{session.expiresAt === null
					? t("card.signedIn", { username: session.username })
					: t("card.signedInUntil", { username: session.username, at: formatTime(session.expiresAt) })}
			</Text>
		);
	}
	return <Text size="sm">{site.username ? t("card.lastUser", { username: site.username }) : t("card.never")}</Text>;
}

/** The versions of a site: as it says now, or as it said last, greyed and with the day. */
function CardVersion({ site }: { site: SiteView }) {
	const { t } = useTranslation(["sites", "common"]);
	const session = useKnownSession(site);
	const { portalVersion, serverVersion } = session ?? site.seen ?? { portalVersion: null, serverVersion: null };
	const versions = [
		portalVersion ? t("common:bar.portalVersion", { version: portalVersion }) : null,
		serverVersion ? t("common:bar.serverVersion", { version: serverVersion }) : null,
	].filter((version) => version !== null);
	if (versions.length === 0) return null;
	const words = versions.join(" · ");
	if (session || !site.seen) return <Text size="sm">{words}</Text>;
	// A date stays on one line.
	const day = formatDay(site.seen.at).replaceAll(" ", "\u00a0");
	return (
		<Text size="sm" c="dimmed">
			{t("card.versionThen", { versions: words, day })}
		</Text>
	);
}

/** Whether a site takes changes, where it is marked read-only. */
function ReadOnlyMark({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const now = useNow(10_000);
	if (!site.readOnly) return null;
	const until = unlockedUntil(site, now);
	const Icon = until ? IconLockOpen : IconLock;
	return (
		<Group gap={6} wrap="nowrap">
			<Icon size={14} stroke={1.5} aria-hidden />
			<Text size="sm">{until ? t("readOnly.unlocked", { at: formatTime(until) }) : t("form.readOnly")}</Text>
		</Group>
	);
}
