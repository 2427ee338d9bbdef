import { Center, Group, Kbd } from "@mantine/core";
import { useOs } from "@mantine/hooks";
import {
	IconArrowLeft,
	IconArrowRight,
	IconArrowsDiff,
	IconBolt,
	IconCalendarPlus,
	IconCalendarTime,
	IconDeviceDesktop,
	IconHelp,
	IconHistory,
	IconHome,
	IconKeyboard,
	IconLayoutGrid,
	IconListCheck,
	IconLock,
	IconLockOpen,
	IconLogout,
	IconMoon,
	IconPencil,
	IconPlus,
	IconPrinter,
	type IconProps,
	IconRefresh,
	IconRoute,
	IconServer,
	IconSettings,
	IconStethoscope,
	IconSun,
	IconUserShare,
	IconZoomIn,
	IconZoomOut,
	IconZoomReset,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import {
	type OperationKey,
	operations,
	type SessionView,
	type Setting,
	type SiteView,
	type UpdateView,
	useBackend,
} from "@/bridge";
import { SiteDot } from "@/components/site-dot";
import { useConcernText } from "@/lib/concern-text";
import { type HelpTopic, topicOfOperation } from "@/lib/help";
import { type Place, useNavigation, useSignInRequest } from "@/lib/navigation";
import { useKeyNames } from "@/lib/page-keys";
import { usePreferences } from "@/lib/preferences";
import { requestPrint } from "@/lib/print-request";
import { queryKeys } from "@/lib/queries/keys";
import { usePractice, useSiteOverview } from "@/lib/queries/program";
import { useServerKind } from "@/lib/server-kind";
import { targetOf } from "@/lib/target";
import { type Hindrance, hindranceOf, unavailableText, useReadOnly } from "@/lib/use-read-only";
import { useRememberServer } from "@/lib/use-remember-server";
import { useZoom } from "@/lib/use-zoom";
import { operationUis } from "@/operations";
import { useSignOut } from "./use-sign-out";

/** Shortcut of each operation, by its position in the specification. The first digit belongs to the overview. */
export const operationKeys: readonly string[] = [2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `mod+${digit}`);

/**
 * Group of commands in the palette. While a dialog is open, only shortcuts of `actions` work: the others would leave
 * the page that the dialog depends on.
 */
export type CommandGroup = "here" | "pages" | "sites" | "actions" | "services" | "items";

/** Command of the palette. With `keys`, it also has a shortcut, which the overview lists. */
export interface Command {
	id: string;
	group: CommandGroup;
	label: string;
	icon: ComponentType<IconProps> | (() => React.ReactNode);
	keys?: string;
	description?: string;
	/** Further words that find the command. */
	keywords?: string;
	/** Why the command is unavailable. Selecting it opens the page that explains what to do. */
	reason?: string;
	/** Kind of `reason`; only for operations. */
	hindrance?: Hindrance["kind"];
	run: () => void;
}

interface CommandsOf {
	sites: readonly SiteView[];
	site: SiteView | null;
	session: SessionView | null;
	showShortcuts: () => void;
}

export function useCommands({ sites, site, session, showShortcuts }: CommandsOf): Command[] {
	const { t } = useTranslation();
	const kindOf = useServerKind();
	const { place, go, back, forward } = useNavigation();
	const apple = useOs({ getValueInEffect: false }) === "macos";
	const { change, isLocked } = usePreferences();
	const unless = (setting: Setting) => (isLocked(setting) ? { reason: t("settings.lockedByOrganisation") } : {});
	const zoom = useZoom();
	const askToSignIn = useSignInRequest();
	const signOut = useSignOut(site);
	const rememberServer = useRememberServer();
	const readOnly = useReadOnly(site);
	const practice = usePractice().data?.site.id;
	const overview = useSiteOverview(site?.id ?? null).data;
	const concernText = useConcernText();
	const backend = useBackend();
	const queries = useQueryClient();
	const to = (place: Place) => () => go(place);
	const checkForUpdate = () => {
		go({ page: "settings" });
		// After a failure, the settings show the reason and a button to try again.
		void backend.checkForUpdate().then(
			(now) => queries.setQueryData<UpdateView>(queryKeys.updates, now),
			() => {},
		);
	};

	const toOperation = (site: SiteView, key: OperationKey): Pick<Command, "run" | "reason" | "hindrance"> => {
		const obstacle = hindranceOf(session, key, readOnly);
		const reason = obstacle ? { reason: unavailableText(t, obstacle), hindrance: obstacle.kind } : {};
		return { ...reason, run: to({ page: "operation", ...targetOf(key, site), key }) };
	};
	const isPractice = site !== null && site.id === practice;
	const plansConcern = overview?.concerns.find(({ about }) => about.kind === "plan");

	const ofSite = (site: SiteView): Command[] => [
		here("overview", t("nav.overview"), IconHome, to({ page: "overview", site: site.id }), { keys: "mod+1" }),
		...operations.map(
			({ key }, place): Command => ({
				...toOperation(site, key),
				id: key,
				group: "here",
				label: t(`operation.${key}.nav`),
				keywords: t(`operation.${key}.name`),
				icon: operationUis[key].icon,
				...(operationKeys[place] && { keys: operationKeys[place] }),
			}),
		),
		here("changes", t("nav.changes"), IconArrowsDiff, to({ page: "changes", site: site.id })),
		here("plans", t("nav.backupPlans"), IconCalendarTime, to({ page: "plans", site: site.id }), {
			// State of the plan with the most urgent concern.
			...(plansConcern ? { description: concernText(site, plansConcern).title } : {}),
		}),
		// One command for each server, which does not change the current server.
		...site.servers.flatMap((server) => {
			if (server.id === null) return [];
			const label = t("palette.servicesOf", { server: server.name });
			const run = to({ page: "overview", site: site.id, services: server.id });
			return here(`services of ${server.id}`, label, IconListCheck, run, { description: kindOf(server) });
		}),
		...(isPractice
			? [
					here("faults", t("nav.faults"), IconBolt, to({ page: "practice", site: site.id })),
					here("tour", t("nav.guidedTour"), IconRoute, to({ page: "practice", site: site.id })),
				]
			: []),
	];
	const toServer = (one: SiteView, { id, ...server }: SiteView["servers"][number]): Command => {
		const run = () => {
			const target = { site: one.id, server: id };
			if (place.page === "operation" && place.server !== null) return go({ ...place, ...target });
			rememberServer(target);
			go(place.page === "operation" ? { ...place, site: one.id } : { page: "overview", site: one.id });
		};
		const label = t("serverOfSite", { server: server.name, site: one.name });
		return command("sites", `server ${one.id} ${id}`, label, IconServer, run, { description: kindOf(server) });
	};
	const actionsOn = (site: SiteView): Command[] => {
		const onOverview = to({ page: "overview", site: site.id });
		const lock = t(readOnly ? "palette.unlock" : "palette.lock", { site: site.name });
		return [
			...(site.readOnly ? [action("read-only", lock, readOnly ? IconLockOpen : IconLock, onOverview)] : []),
			...operations.flatMap(({ key }) =>
				(operationUis[key].commands ?? []).map(
					({ id, label, icon }): Command => ({
						...toOperation(site, key),
						id,
						group: "actions",
						label: label(t),
						icon,
					}),
				),
			),
			action("new-plan", t("palette.newPlan"), IconCalendarPlus, to({ page: "edit-plan", site: site.id })),
			action(
				"edit-site",
				t("palette.editSite", { site: site.name }),
				IconPencil,
				to({ page: "edit-site", site: site.id }),
				{ keywords: t("palette.keywords.editSite") },
			),
			...(session
				? [
						action("switch-user", t("bar.switchUser"), IconUserShare, () => askToSignIn(site.id)),
						action("sign-out", t("bar.signOut"), IconLogout, signOut),
					]
				: []),
		];
	};
	return [
		...(site ? ofSite(site) : []),
		page("back", t("menu.back"), IconArrowLeft, () => back?.(), {
			keys: apple ? "mod+[" : "alt+ArrowLeft",
			...(back ? {} : { reason: t("nav.noBack") }),
		}),
		page("forward", t("menu.forward"), IconArrowRight, () => forward?.(), {
			keys: apple ? "mod+]" : "alt+ArrowRight",
			...(forward ? {} : { reason: t("nav.noForward") }),
		}),
		page("all-sites", t("nav.allSites"), IconLayoutGrid, to({ page: "sites" }), { keys: "mod+shift+S" }),
		page("history", t("nav.history"), IconHistory, to({ page: "history" }), {
			keys: "mod+shift+H",
			keywords: t("palette.keywords.history"),
		}),
		page("settings", t("nav.settings"), IconSettings, to({ page: "settings" }), { keys: "mod+," }),
		page("help", t("nav.help"), IconHelp, to({ page: "help", topic: topicOfPlace(place) }), { keys: "F1" }),
		...sites.map((one) => {
			const dot = () => (
				<Center w={18}>
					<SiteDot color={one.color} />
				</Center>
			);
			return command("sites", `site ${one.id}`, one.name, dot, to({ page: "overview", site: one.id }));
		}),
		...sites.flatMap((one) => (one.servers.length < 2 ? [] : one.servers.map((server) => toServer(one, server)))),
		action("add-site", t("nav.addSite"), IconPlus, to({ page: "add-site" })),
		...(site ? actionsOn(site) : []),
		...(place.page === "history"
			? [action("print", t("palette.print"), IconPrinter, requestPrint, { keys: "mod+P" })]
			: []),
		action("check-for-update", t("palette.checkForUpdate"), IconRefresh, checkForUpdate),
		action("diagnostics", t("palette.diagnostics"), IconStethoscope, to({ page: "settings" })),
		action("zoom-in", t("menu.zoomIn"), IconZoomIn, zoom.larger, { keys: "mod+plus", ...unless("zoom") }),
		action("zoom-out", t("menu.zoomOut"), IconZoomOut, zoom.smaller, { keys: "mod+minus", ...unless("zoom") }),
		action("zoom-reset", t("menu.zoomReset"), IconZoomReset, zoom.usual, { keys: "mod+0", ...unless("zoom") }),
		action("light", t("palette.light"), IconSun, () => change({ theme: "light" }), unless("theme")),
		action("dark", t("palette.dark"), IconMoon, () => change({ theme: "dark" }), unless("theme")),
		action("system", t("palette.system"), IconDeviceDesktop, () => change({ theme: "system" }), unless("theme")),
		action("shortcuts", t("shortcuts.title"), IconKeyboard, showShortcuts, { keys: "shift+?" }),
	];
}

type Make = (id: string, label: string, icon: Command["icon"], run: () => void, more?: Partial<Command>) => Command;

function command(group: CommandGroup, ...[id, label, icon, run, more]: Parameters<Make>): Command {
	return { id, group, label, icon, run, ...more };
}

const here: Make = (...of) => command("here", ...of);
const page: Make = (...of) => command("pages", ...of);
const action: Make = (...of) => command("actions", ...of);

export function Keys({ of }: { of: string }) {
	const names = useKeyNames();
	return (
		<Group gap={4} wrap="nowrap" component="span">
			{names(of).map((name) => (
				<Kbd key={name}>{name}</Kbd>
			))}
		</Group>
	);
}

/** Help page of each page that is about one thing. */
const topics: Record<Exclude<Place["page"], "operation" | "help">, HelpTopic> = {
	changes: "changes",
	practice: "practice",
	history: "history",
	settings: "settings",
	plans: "backup-plans",
	"edit-plan": "backup-plans",
	"backup-set": "backup-plans",
	rehearsal: "backup-plans",
	receipt: "backup-plans",
	overview: "overview",
	sites: "overview",
	"add-site": "sites",
	"edit-site": "sites",
};

/** Returns the help page about a place, for F1. */
function topicOfPlace(place: Place): HelpTopic {
	if (place.page === "operation") return topicOfOperation(place.key);
	return place.page === "help" ? place.topic : topics[place.page];
}
