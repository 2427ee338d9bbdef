import { Badge, Button, Group, Menu, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import {
	IconChevronDown,
	IconLock,
	IconLockOpen,
	IconLogout,
	IconSettings,
	IconUserCircle,
	IconUserShare,
} from "@tabler/icons-react";
import type { CSSProperties, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, SessionView, SiteView } from "@/bridge";
import { Hint } from "@/components/hint";
import { IconItem } from "@/components/menu";
import { IconButton } from "@/components/text";
import { formatDuration, formatLeft, formatTime, useNow } from "@/lib/format";
import { useNavigation, useSignInRequest } from "@/lib/navigation";
import { roleText } from "@/lib/role-text";
import { siteGround } from "@/lib/site-color";
import { serverNameOf } from "@/lib/target";
import { useNarrow } from "@/lib/use-narrow";
import { unlockedUntil } from "@/lib/use-read-only";
import { ServerMenu } from "./server-menu";
import classes from "./top-bar.module.css";
import { useSignOut } from "./use-sign-out";

export const topBarHeight = 44;

interface TopBarProps {
	site: SiteView | null;
	session: SessionView | null;
	/** Whether there are no sites. The sidebar can be missing then, and with it the link to the settings. */
	alone: boolean;
	/** Shown before the site. */
	start: ReactNode;
	/** Shown at the end of the bar. */
	children: ReactNode;
}

/** Top bar: color, name, and environment of the site; then versions, account, and token. */
export function TopBar({ site, session, alone, start, children }: TopBarProps) {
	return (
		<Group
			className={classes.bar ?? ""}
			h={topBarHeight}
			px={16}
			gap="sm"
			wrap="nowrap"
			style={{ "--site-ground": site ? siteGround(site.color) : "var(--no-site-ground)" } as CSSProperties}
		>
			{start}
			{site ? <OfSite site={site} session={session} /> : <OfNone alone={alone} />}
			{children}
		</Group>
	);
}

function OfSite({ site, session }: { site: SiteView; session: SessionView | null }) {
	const { place } = useNavigation();
	return (
		<Group gap="md" wrap="nowrap" flex={1} miw={0}>
			<SiteName site={site} server={place.page === "operation" ? serverNameOf(place.key, site) : null} />
			<ReadOnlyButton site={site} />
			<Versions session={session} />
			<Group
				gap="sm"
				wrap="nowrap"
				ms="auto"
				className={classes.person ?? ""}
				{...(session ? {} : { miw: "max-content" })}
			>
				<TokenLife session={session} />
				<Account site={site} session={session} />
			</Group>
		</Group>
	);
}

function OfNone({ alone }: { alone: boolean }) {
	const { t } = useTranslation();
	const { place, go } = useNavigation();
	const back = place.page === "settings";
	return (
		<Group justify="space-between" flex={1}>
			<Text fw={600} size="lg">
				{t("app.name")}
			</Text>
			{alone ? (
				<IconButton
					label={back ? t("nav.sites") : t("nav.settings")}
					variant="transparent"
					c="white"
					icon={IconSettings}
					onClick={() => go(back ? { page: "sites" } : { page: "settings" })}
				/>
			) : null}
		</Group>
	);
}

/** Number of letters that fit in every window. */
const shortNames = 18;

function SiteName({ site, server }: { site: SiteView; server: string | null }) {
	const { t } = useTranslation();
	const isShort = site.name.length + (server?.length ?? 0) <= shortNames;
	return (
		<Group gap="xs" wrap="nowrap" className={classes.name ?? ""} mod={{ short: isShort }}>
			<Text fw={600} size="lg" truncate className={classes.site ?? ""} title={site.name}>
				{site.name}
			</Text>
			{server === null ? null : <ServerMenu site={site} server={server} />}
			{site.environment === "practice" ? null : (
				<Badge variant="white" color="dark" radius="sm" flex="none">
					{t(`kind.${site.environment}`)}
				</Badge>
			)}
		</Group>
	);
}

function Versions({ session }: { session: SessionView | null }) {
	const { t } = useTranslation();
	if (!session) return null;
	const versions = [
		session.portalVersion ? t("bar.portalVersion", { version: session.portalVersion }) : null,
		session.serverVersion ? t("bar.serverVersion", { version: session.serverVersion }) : null,
	].filter((version) => version !== null);
	return (
		<Text className={classes.versions ?? ""} title={versions.join(" · ")}>
			<span>{versions.join(" · ")}</span>
		</Text>
	);
}

function TokenLife({ session }: { session: SessionView | null }) {
	const { t } = useTranslation();
	const life = useTokenLife(session?.expiresAt ?? null);
	if (!life || !session?.expiresAt) return null;
	return (
		<Hint label={t("bar.tokenEnds", { at: formatTime(session.expiresAt) })}>
			<Badge
				flex="none"
				// Focusable, so that the exact time is available without a mouse.
				tabIndex={0}
				className={life.urgent ? "" : (classes.token ?? "")}
				variant={life.urgent ? "white" : "transparent"}
				color={life.urgent ? "red.9" : "white"}
				fw={life.urgent ? 600 : 400}
			>
				{life.words}
			</Badge>
		</Hint>
	);
}

function Account({ site, session }: { site: SiteView; session: SessionView | null }) {
	const { t } = useTranslation();
	const askToSignIn = useSignInRequest();
	const signOut = useSignOut(site);
	// A shortened role is not understandable.
	const narrow = useMediaQuery("(max-width: 1000px)", false, { getInitialValueInEffect: false });
	if (!session) {
		return <Text>{t("bar.notSignedIn")}</Text>;
	}
	const person = t("bar.person", { username: session.username, role: roleText(t, session.role) });
	return (
		<Menu position="bottom-end" width={220}>
			<Menu.Target>
				<IconButton
					variant="transparent"
					c="white"
					className={classes.account ?? ""}
					title={person}
					icon={IconUserCircle}
					rightSection={<IconChevronDown size={14} aria-hidden />}
					label={
						<Text span inherit truncate className={classes.who ?? ""}>
							{narrow ? session.username : person}
						</Text>
					}
				/>
			</Menu.Target>
			<Menu.Dropdown>
				<IconItem label={t("bar.switchUser")} icon={IconUserShare} onClick={() => askToSignIn(site.id)} />
				<IconItem label={t("bar.signOut")} icon={IconLogout} onClick={signOut} />
			</Menu.Dropdown>
		</Menu>
	);
}

/** Returns the remaining time of the token in whole minutes; urgent in the last five. */
function useTokenLife(expiresAt: Millis | null): { words: string; urgent: boolean } | null {
	const { t } = useTranslation();
	const now = useNow(20_000);
	if (expiresAt === null) return null;
	const left = expiresAt - now;
	if (left <= 0) return { words: t("bar.tokenEnded"), urgent: true };
	return { words: t("bar.token", { left: formatLeft(left) }), urgent: left < 5 * 60_000 };
}

/** State of a read-only site: locked, or the time until it locks. Opens the page where this is changed. */
function ReadOnlyButton({ site }: { site: SiteView }) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	const now = useNow(1_000);
	// A narrow bar has room for the names only; the icon and the time remain.
	const narrow = useNarrow();
	if (!site.readOnly) return null;
	const until = unlockedUntil(site, now);
	const Icon = until === null ? IconLock : IconLockOpen;
	const left = until === null ? null : formatDuration(whole(until - now));
	const longest = formatDuration(15 * 60_000);
	const words = left === null ? t("bar.readOnly") : t("bar.unlocked", { left });
	return (
		<Hint label={until === null ? t("bar.readOnlyHint") : t("bar.unlockedHint", { at: formatTime(until) })}>
			<Button
				variant={until === null ? "transparent" : "white"}
				color={until === null ? "white" : "dark"}
				className={classes.mark ?? ""}
				leftSection={<Icon size={16} aria-hidden />}
				aria-label={words}
				onClick={() => go({ page: "overview", site: site.id })}
			>
				{left === null ? (
					narrow ? null : (
						words
					)
				) : (
					<span className={classes.countdown}>
						<span>{narrow ? left : words}</span>
						{/* Reserves the width of the longest text, so that the neighbors do not move during the countdown. */}
						<span aria-hidden>{narrow ? longest : t("bar.unlocked", { left: longest })}</span>
					</span>
				)}
			</Button>
		</Hint>
	);
}

/** Rounds down to whole minutes, or to seconds in the last minute; at least one. */
function whole(left: number): number {
	const unit = left < 60_000 ? 1_000 : 60_000;
	return Math.max(unit, left - (left % unit));
}
