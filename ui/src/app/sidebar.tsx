import { AppShell, Badge, NavLink, Stack } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import {
	IconArrowsDiff,
	IconBolt,
	IconCalendarTime,
	IconHelp,
	IconHistory,
	IconHome,
	IconSettings,
} from "@tabler/icons-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type OperationKey, operations, type SessionView, type SiteView } from "@/bridge";
import { HindranceIcon } from "@/components/hindrance-icon";
import { Hint } from "@/components/hint";
import { Small } from "@/components/text";
import { useConcernText } from "@/lib/concern-text";
import { formatNumber } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { type OperationUi, operationGroups } from "@/lib/operation-ui";
import { usePreferences } from "@/lib/preferences";
import { usePractice, useSiteOverview } from "@/lib/queries/program";
import { targetOf } from "@/lib/target";
import { type Hindrance, hindranceOf, unavailableText, useReadOnly } from "@/lib/use-read-only";
import { operationUis } from "@/operations";
import { SiteSwitcher } from "./server-menu";
import classes from "./sidebar.module.css";

const foot = [
	[IconHistory, { page: "history" }],
	[IconSettings, { page: "settings" }],
	[IconHelp, { page: "help", topic: "start" }],
] as const;

interface SidebarProps {
	sites: SiteView[];
	site: SiteView | null;
	session: SessionView | null;
}

export function Sidebar({ sites, site, session }: SidebarProps) {
	const { t } = useTranslation();
	const { place, go } = useNavigation();
	const readOnly = useReadOnly(site);
	const practice = usePractice().data?.site.id;
	return (
		<>
			<AppShell.Section p={10} pb={4}>
				<SiteSwitcher sites={sites} site={site} />
			</AppShell.Section>
			<AppShell.Section grow px={10} className={classes.list ?? ""} data-links>
				{site ? (
					<Stack gap={0}>
						<PageLink
							label={t("nav.overview")}
							icon={IconHome}
							active={place.page === "overview"}
							onGo={() => go({ page: "overview", site: site.id })}
						/>
						<PageLink
							label={t("nav.changes")}
							icon={IconArrowsDiff}
							active={place.page === "changes"}
							onGo={() => go({ page: "changes", site: site.id })}
						/>
						<Operations site={site} session={session} readOnly={readOnly} />
					</Stack>
				) : null}
			</AppShell.Section>
			<AppShell.Section px={10} className={classes.foot ?? ""}>
				{site && site.id === practice ? (
					<PageLink
						label={t("nav.faults")}
						icon={IconBolt}
						active={place.page === "practice"}
						onGo={() => go({ page: "practice", site: site.id })}
					/>
				) : null}
				{foot.map(([icon, to]) => (
					<PageLink
						key={to.page}
						label={t(`nav.${to.page}`)}
						icon={icon}
						active={place.page === to.page}
						onGo={() => go(to)}
					/>
				))}
			</AppShell.Section>
		</>
	);
}

interface OperationsProps {
	site: SiteView;
	session: SessionView | null;
	/** Whether the site is locked. */
	readOnly: boolean;
}

function Operations({ site, session, readOnly }: OperationsProps) {
	const { t } = useTranslation();
	const { place, go } = useNavigation();
	const attention = useAttention(site);
	return operationGroups.map((group) => (
		<Group key={group} title={t(`group.${group}`)}>
			{operations
				.map(({ key }) => operationUis[key])
				.filter((ui) => ui.group === group)
				.map(({ key, icon }) => (
					<PageLink
						key={key}
						label={t(`operation.${key}.nav`)}
						icon={icon}
						active={place.page === "operation" && place.key === key}
						onGo={() => go({ page: "operation", ...targetOf(key, site), key })}
						attention={attention[key] ?? null}
						obstacle={hindranceOf(session, key, readOnly)}
					/>
				))}
			{group === "backup" ? (
				<PageLink
					label={t("nav.backupPlans")}
					icon={IconCalendarTime}
					active={["plans", "edit-plan", "backup-set", "rehearsal"].includes(place.page)}
					onGo={() => go({ page: "plans", site: site.id })}
					attention={attention.plans ?? null}
				/>
			) : null}
		</Group>
	));
}

function Group({ title, children }: { title: string; children: ReactNode }) {
	return (
		<Stack gap={0} role="group" aria-label={title} className={classes.group ?? ""}>
			<Small fw={600} px={10} aria-hidden className={classes.name ?? ""}>
				{title}
			</Small>
			{children}
		</Stack>
	);
}

interface PageLinkProps {
	label: string;
	icon: OperationUi["icon"];
	active: boolean;
	onGo: () => void;
	attention?: Attention | null;
	/** Why the operation is unavailable. */
	obstacle?: Hindrance | null;
}

/** A page with a list can have concerns while its operation is unavailable. */
function PageLink({ label, icon: Icon, active, onGo, attention = null, obstacle = null }: PageLinkProps) {
	const { t } = useTranslation();
	const reason = obstacle ? unavailableText(t, obstacle) : null;
	const both = (first: string | null) => [first, attention?.why].filter(Boolean).join(" ") || undefined;
	const said = both(reason && t("nav.unavailable", { reason }));
	return (
		<Hint label={both(reason)} disabled={said === undefined} position="right">
			<NavLink
				component="button"
				ref={useInSight(active)}
				className={classes.link ?? ""}
				label={label}
				leftSection={<Icon size={18} stroke={1.5} aria-hidden />}
				rightSection={
					said ? (
						<>
							{attention ? <Mark attention={attention} /> : null}
							{obstacle ? <HindranceIcon kind={obstacle.kind} className={classes.lock ?? ""} /> : null}
						</>
					) : null
				}
				active={active}
				aria-current={active ? "page" : undefined}
				aria-description={said}
				data-locked={reason !== null || undefined}
				onClick={onGo}
			/>
		</Hint>
	);
}

/** Scrolls the link of the current page into view, also after zooming. */
function useInSight(active: boolean): RefObject<HTMLButtonElement | null> {
	const link = useRef<HTMLButtonElement>(null);
	const show = useCallback(() => {
		if (active) link.current?.scrollIntoView?.({ block: "nearest" });
	}, [active]);
	const { language } = useTranslation().i18n;
	// Labels in another language wrap differently.
	// biome-ignore lint/correctness/useExhaustiveDependencies: the language changes the labels
	useEffect(show, [show, language]);
	useWindowEvent("resize", show);
	// The sidebar changes its height, for example when the practice site gets a link.
	useEffect(() => {
		const list = link.current?.closest("[data-links]");
		if (!list) return;
		const sizes = new ResizeObserver(show);
		sizes.observe(list);
		return () => sizes.disconnect();
	}, [show]);
	return link;
}

/** Hidden from screen readers, because the link itself contains the text. */
function Mark({ attention }: { attention: Attention }) {
	return (
		<Badge variant="light" color="orange" className={classes.mark ?? ""} aria-hidden>
			{formatNumber(attention.count)}
		</Badge>
	);
}

interface Attention {
	count: number;
	why: string;
}

/** Concerns of a site by the link that counts them; empty if the user has turned reminders off. */
function useAttention(site: SiteView): Partial<Record<OperationKey | "plans", Attention>> {
	const { preferences } = usePreferences();
	const concerns = useSiteOverview(site.id).data?.concerns ?? [];
	const textOf = useConcernText();
	const attention: ReturnType<typeof useAttention> = {};
	if (!preferences.reminders) return attention;
	for (const concern of concerns) {
		const { countedAt, title } = textOf(site, concern);
		if (countedAt === null) continue;
		const { count, why } = attention[countedAt] ?? { count: 0, why: "" };
		attention[countedAt] = { count: count + 1, why: why === "" ? title : `${why} · ${title}` };
	}
	return attention;
}
