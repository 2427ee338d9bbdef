import { ActionIcon, Anchor, AppShell, Box, Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconLayoutSidebar } from "@tabler/icons-react";
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { CopyButton } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { type Place, useNavigation } from "@/lib/navigation";
import { usePreferences } from "@/lib/preferences";
import { useAbout, useSession, useSites } from "@/lib/queries/program";
import { firstContentAt, markStarted } from "@/lib/started";
import { useStale } from "@/lib/use-command";
import { useNarrow } from "@/lib/use-narrow";
import { afterStart } from "@/lib/when-shown";
import { isolated } from "@/messages/isolated";
import { CommandCenter } from "./command-center";
import { Content } from "./content";
import { ErrorBoundary, type FaultProps } from "./error-boundary";
import { operationsPanelHeight, useOperationsPanel } from "./operations-panel-rows";
import { PracticeStrip, practiceStripHeight } from "./practice-strip";
import classes from "./shell.module.css";
import { Sidebar } from "./sidebar";
import sidebarClasses from "./sidebar.module.css";
import { TopBar, topBarHeight } from "./top-bar";

const CalledSide = afterStart(async () => (await import("./called-side")).CalledSide);
const CloseDialog = afterStart(async () => (await import("./close-dialog")).CloseDialog);
const SetAsideBanner = afterStart(async () => (await import("./set-aside-banner")).SetAsideBanner);
const PlanBanner = afterStart(async () => (await import("./plan-banner")).PlanBanner);
const FileDrops = afterStart(async () => (await import("./file-drops")).FileDrops);

export function Shell() {
	const { t } = useTranslation();
	const { place, site: here } = useNavigation();
	const backend = useBackend();
	const asked = useSites();
	const sites = asked.data;
	// The list of sites and the form of a new site belong to no site, so the sidebar shows no operations and the top bar
	// no account.
	const site = place.page === "add-site" || place.page === "sites" ? null : here;
	const session = useSession(site).data ?? null;
	// The top bar has the color of a site only on pages of that site.
	const shownSite = "site" in place ? site : null;
	const main = useRef<HTMLElement>(null);
	const practice = shownSite?.environment === "practice";
	const beforeSites = place.page !== "settings" && place.page !== "add-site" && place.page !== "help";
	const welcome = sites !== undefined && sites.length === 0 && beforeSites;
	const narrow = useNarrow();
	const { setAside } = usePreferences();
	const [calledAt, setCalledAt] = useState<Place | null>(null);
	// Navigating closes the drawer, also with Back.
	if (calledAt !== null && calledAt !== place) setCalledAt(null);
	const call = { called: calledAt === place, onCall: (called: boolean) => setCalledAt(called ? place : null) };
	usePolicyNotice();
	useSessionsAfterConnection();

	useEffect(() => {
		const kind = site ? t(`kind.${site.environment}`) : "";
		// A site named after its environment is not followed by it.
		const named = site && site.name.toLowerCase() !== kind.toLowerCase() ? [isolated(site.name), kind] : [kind];
		const title = [...named, t("app.name")].filter(Boolean).join(" · ");
		// An outdated window title does no harm.
		backend.setTitle(title).catch(() => {});
	}, [backend, site, t]);

	const usable = !asked.isPending;
	useEffect(() => {
		// After the paint of this render. A failure affects only the measurement.
		const mark = () => {
			backend.windowUsable(firstContentAt()).catch(() => {});
			markStarted();
		};
		if (usable) requestAnimationFrame(() => setTimeout(mark));
	}, [backend, usable]);

	const before = useRef(place);
	const scrolled = useRef(new WeakMap<Place, number>());
	useLayoutEffect(() => {
		// A page starts at its top, also when it is opened again, and after Back where it was left. The first page is at
		// its top already; scrolling it would cause a second layout.
		if (before.current !== place) main.current?.scrollTo?.({ top: scrolled.current.get(place) ?? 0 });
		before.current = place;
	}, [place]);

	const side = <Sidebar sites={sites ?? []} site={site} session={session} />;
	return (
		<Layout practice={practice} side={!welcome && !narrow}>
			<Anchor href="#content" className={classes.skip ?? ""}>
				{t("nav.skip")}
			</Anchor>
			{/* Above the sidebar, because menus of the bar cover it. */}
			<AppShell.Header withBorder={false} zIndex={102}>
				<TopBar
					site={shownSite}
					session={session}
					alone={sites?.length === 0}
					start={narrow && !welcome ? <SideButton {...call} /> : null}
				>
					<CommandCenter sites={sites ?? []} site={site} session={session} />
				</TopBar>
				{practice ? <PracticeStrip color={shownSite.color} /> : null}
			</AppShell.Header>
			{welcome ? null : narrow ? (
				<Suspense>
					<CalledSide {...call}>{side}</CalledSide>
				</Suspense>
			) : (
				<Side>{side}</Side>
			)}
			<AppShell.Main
				ref={main}
				id="content"
				tabIndex={-1}
				className={classes.main ?? ""}
				onScroll={({ currentTarget }) => scrolled.current.set(place, currentTarget.scrollTop)}
			>
				<ErrorBoundary fallback={ScreenFault} place={place} backend={backend}>
					<Suspense>{setAside.length > 0 ? <SetAsideBanner /> : null}</Suspense>
					<Suspense>{sites ? <PlanBanner sites={sites} /> : null}</Suspense>
					<Content />
				</ErrorBoundary>
			</AppShell.Main>
			{/* A file that was opened with the app needs the current site, which is unknown before the sites are read. */}
			<Suspense>{sites ? <FileDrops site={site} /> : null}</Suspense>
			<Suspense>
				<CloseDialog />
			</Suspense>
		</Layout>
	);
}

/** Notification at the start if the organization's settings file has faults. The settings show them. */
function usePolicyNotice(): void {
	const { t } = useTranslation();
	const { policy } = usePreferences();
	const isFaulty = policy !== null && policy.faults.length > 0;
	useEffect(() => {
		if (!isFaulty) return;
		notifications.show({
			id: "policy",
			message: t("settings.policyNotice"),
			closeButtonProps: { "aria-label": t("action.close") },
		});
	}, [isFaulty, t]);
}

/** Reads sessions again after the connection was saved, because those over the previous connection have ended. */
function useSessionsAfterConnection(): void {
	const stale = useStale();
	const { connectionSave } = usePreferences();
	useEffect(() => {
		if (connectionSave.kind === "saved") void stale("savePreferences");
	}, [connectionSave, stale]);
}

function Side({ children }: { children: ReactNode }) {
	const { t } = useTranslation();
	return (
		<AppShell.Navbar className={sidebarClasses.navbar ?? ""} aria-label={t("nav.main")}>
			{children}
		</AppShell.Navbar>
	);
}

function SideButton({ called, onCall }: { called: boolean; onCall: (called: boolean) => void }) {
	const { t } = useTranslation();
	return (
		<ActionIcon
			variant="transparent"
			color="currentColor"
			aria-label={t("nav.main")}
			title={t("nav.main")}
			aria-haspopup="dialog"
			aria-expanded={called}
			onClick={() => onCall(true)}
		>
			<IconLayoutSidebar size={18} aria-hidden />
		</ActionIcon>
	);
}

/** Message instead of a failed page, with buttons to try again, leave, or copy the details. */
export function ScreenFault({ words, where, onRetry }: FaultProps) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	const about = useAbout();
	const details = [`Site Steward ${about.data?.version ?? ""}`, words, where].join("\n");
	return (
		<Box p="lg" maw={760}>
			<Notice tone="failed" title={t("broken.title")}>
				<Stack gap="sm">
					<Text>{t("broken.body")}</Text>
					<Text ff="monospace" mod="anywhere">
						{words}
					</Text>
					<Group gap="xs">
						<Button variant="filled" onClick={onRetry}>
							{t("action.retry")}
						</Button>
						<Button onClick={() => go({ page: "sites" })}>{t("broken.leave")}</Button>
						<CopyButton value={details} label={t("action.copyDetails")} />
					</Group>
				</Stack>
			</Notice>
		</Box>
	);
}

const OperationsPanel = afterStart(async () => (await import("./operations-panel")).OperationsPanel);

interface LayoutProps {
	practice: boolean;
	/** Whether the sidebar is shown beside the page. */
	side: boolean;
	/** Top bar, sidebar, and page. They are not rendered again when a run changes. */
	children: ReactNode;
}

/** Places the parts of the window, with the operations panel, which changes with every run. */
function Layout({ practice, side, children }: LayoutProps) {
	const dock = useOperationsPanel();
	return (
		<AppShell
			padding={0}
			className={classes.shell ?? ""}
			header={{ height: topBarHeight + (practice ? practiceStripHeight : 0) }}
			navbar={{ width: 216, breakpoint: 0, collapsed: { desktop: !side, mobile: !side } }}
			footer={{ height: operationsPanelHeight(dock), collapsed: dock.empty }}
			transitionDuration={0}
		>
			{children}
			<AppShell.Footer className={classes.dock ?? ""}>
				<Suspense>
					<OperationsPanel dock={dock} />
				</Suspense>
			</AppShell.Footer>
		</AppShell>
	);
}
