import { Center } from "@mantine/core";
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
import { useHelp } from "@/lib/help";
import { type Place, useNavigation } from "@/lib/navigation";
import { usePreferences } from "@/lib/preferences";
import { requestPrint } from "@/lib/print-request";
import { queryKeys } from "@/lib/queries/keys";
import { usePractice, useSiteOverview } from "@/lib/queries/program";
import { useServerKind } from "@/lib/server-kind";
import { useSignInRequest } from "@/lib/sign-in-request";
import { targetOf } from "@/lib/target-of";
import { type Hindrance, hindranceOf, unavailableText } from "@/lib/unavailable-text";
import { useReadOnly } from "@/lib/use-read-only";
import { useRememberServer } from "@/lib/use-remember-server";
import { useZoom } from "@/lib/use-zoom";
import { operationUis } from "@/operations";
import { topicOfPlace } from "./topic-of-place";
import { useSignOut } from "./use-sign-out";

/** Shortcut of each operation, by its position in the specification. The overview has the first digit. */
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
	/** Whether another component handles the keys, also in fields and over dialogs. */
	isBound?: true;
	description?: string;
	/** Further words that find the command. */
	keywords?: string;
	/** Why the command is unavailable. Selecting it opens the page that explains what to do. */
	reason?: string;
	/** Kind of the reason, for operations. */
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
	const help = useHelp();
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

	const here: Command[] = site
		? [
				{
					id: "overview",
					group: "here",
					label: t("nav.overview"),
					icon: IconHome,
					keys: "mod+1",
					run: to({ page: "overview", site: site.id }),
				},
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
			]
		: [];
	// One command for each server, which does not change the current server.
	const servicesOf: Command[] = (site?.servers ?? []).flatMap((server) =>
		site === null || server.id === null
			? []
			: [
					{
						id: `services of ${server.id}`,
						group: "here" as const,
						label: t("palette.servicesOf", { server: server.name }),
						description: kindOf(server),
						icon: IconListCheck,
						run: to({ page: "overview", site: site.id, services: server.id }),
					},
				],
	);
	const plansConcern = overview?.concerns.find(({ about }) => about.kind === "plan");
	const plans: Command[] = site
		? [
				{
					id: "plans",
					group: "here",
					label: t("nav.backupPlans"),
					icon: IconCalendarTime,
					// State of the plan with the most urgent concern.
					...(plansConcern ? { description: concernText(site, plansConcern).title } : {}),
					run: to({ page: "plans", site: site.id }),
				},
			]
		: [];
	const changes: Command[] = site
		? [
				{
					id: "changes",
					group: "here",
					label: t("nav.changes"),
					icon: IconArrowsDiff,
					run: to({ page: "changes", site: site.id }),
				},
			]
		: [];
	const faults: Command[] =
		site && site.id === practice
			? [
					{
						id: "faults",
						group: "here",
						label: t("nav.faults"),
						icon: IconBolt,
						run: to({ page: "practice", site: site.id }),
					},
					{
						id: "tour",
						group: "here",
						label: t("nav.guidedTour"),
						icon: IconRoute,
						run: to({ page: "practice", site: site.id }),
					},
				]
			: [];
	const account: Command[] =
		site && session
			? [
					{
						id: "switch-user",
						group: "actions",
						label: t("bar.switchUser"),
						icon: IconUserShare,
						run: () => askToSignIn(site.id),
					},
					{ id: "sign-out", group: "actions", label: t("bar.signOut"), icon: IconLogout, run: signOut },
				]
			: [];
	const print: Command[] =
		place.page === "history"
			? [
					{
						id: "print",
						group: "actions",
						label: t("palette.print"),
						icon: IconPrinter,
						keys: "mod+P",
						run: requestPrint,
					},
				]
			: [];
	const onSite: Command[] = site
		? [
				...(site.readOnly
					? [
							{
								id: "read-only",
								group: "actions" as const,
								label: t(readOnly ? "palette.unlock" : "palette.lock", { site: site.name }),
								icon: readOnly ? IconLockOpen : IconLock,
								run: to({ page: "overview", site: site.id }),
							},
						]
					: []),
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
				{
					id: "new-plan",
					group: "actions",
					label: t("palette.newPlan"),
					icon: IconCalendarPlus,
					run: to({ page: "edit-plan", site: site.id }),
				},
				{
					id: "edit-site",
					group: "actions",
					label: t("palette.editSite", { site: site.name }),
					keywords: t("palette.keywords.editSite"),
					icon: IconPencil,
					run: to({ page: "edit-site", site: site.id }),
				},
			]
		: [];
	return [
		...here,
		...changes,
		...plans,
		...servicesOf,
		...faults,
		{
			id: "back",
			group: "pages",
			label: t("menu.back"),
			icon: IconArrowLeft,
			keys: apple ? "mod+[" : "alt+ArrowLeft",
			...(back ? {} : { reason: t("nav.noBack") }),
			run: () => back?.(),
		},
		{
			id: "forward",
			group: "pages",
			label: t("menu.forward"),
			icon: IconArrowRight,
			keys: apple ? "mod+]" : "alt+ArrowRight",
			...(forward ? {} : { reason: t("nav.noForward") }),
			run: () => forward?.(),
		},
		{
			id: "all-sites",
			group: "pages",
			label: t("nav.allSites"),
			icon: IconLayoutGrid,
			keys: "mod+shift+S",
			run: to({ page: "sites" }),
		},
		{
			id: "history",
			group: "pages",
			label: t("nav.history"),
			keywords: t("palette.keywords.history"),
			icon: IconHistory,
			keys: "mod+shift+H",
			run: to({ page: "history" }),
		},
		{
			id: "settings",
			group: "pages",
			label: t("nav.settings"),
			icon: IconSettings,
			keys: "mod+,",
			run: to({ page: "settings" }),
		},
		{
			id: "help",
			group: "pages",
			label: t("nav.help"),
			icon: IconHelp,
			keys: "F1",
			isBound: true,
			run: () => help(topicOfPlace(place)),
		},
		...sites.map(
			(one): Command => ({
				id: `site ${one.id}`,
				group: "sites",
				label: one.name,
				icon: () => (
					<Center w={18}>
						<SiteDot color={one.color} />
					</Center>
				),
				run: to({ page: "overview", site: one.id }),
			}),
		),
		...sites.flatMap((one) =>
			one.servers.length < 2
				? []
				: one.servers.map((server): Command => {
						const { id } = server;
						return {
							id: `server ${one.id} ${id}`,
							group: "sites",
							label: t("serverOfSite", { server: server.name, site: one.name }),
							description: kindOf(server),
							icon: IconServer,
							run: () => {
								const target = { site: one.id, server: id };
								if (place.page === "operation" && place.server !== null) return go({ ...place, ...target });
								rememberServer(target);
								go(place.page === "operation" ? { ...place, site: one.id } : { page: "overview", site: one.id });
							},
						};
					}),
		),
		{ id: "add-site", group: "actions", label: t("nav.addSite"), icon: IconPlus, run: to({ page: "add-site" }) },
		...onSite,
		...account,
		...print,
		{
			id: "check-for-update",
			group: "actions",
			label: t("palette.checkForUpdate"),
			icon: IconRefresh,
			run: checkForUpdate,
		},
		{
			id: "diagnostics",
			group: "actions",
			label: t("palette.diagnostics"),
			icon: IconStethoscope,
			run: to({ page: "settings" }),
		},
		{
			id: "zoom-in",
			group: "actions",
			label: t("menu.zoomIn"),
			icon: IconZoomIn,
			keys: "mod+plus",
			...unless("zoom"),
			run: zoom.larger,
		},
		{
			id: "zoom-out",
			group: "actions",
			label: t("menu.zoomOut"),
			icon: IconZoomOut,
			keys: "mod+minus",
			...unless("zoom"),
			run: zoom.smaller,
		},
		{
			id: "zoom-reset",
			group: "actions",
			label: t("menu.zoomReset"),
			icon: IconZoomReset,
			keys: "mod+0",
			...unless("zoom"),
			run: zoom.usual,
		},
		{
			id: "light",
			group: "actions",
			label: t("palette.light"),
			icon: IconSun,
			...unless("theme"),
			run: () => change({ theme: "light" }),
		},
		{
			id: "dark",
			group: "actions",
			label: t("palette.dark"),
			icon: IconMoon,
			...unless("theme"),
			run: () => change({ theme: "dark" }),
		},
		{
			id: "system",
			group: "actions",
			label: t("palette.system"),
			icon: IconDeviceDesktop,
			...unless("theme"),
			run: () => change({ theme: "system" }),
		},
		{
			id: "shortcuts",
			group: "actions",
			label: t("shortcuts.title"),
			icon: IconKeyboard,
			keys: "shift+?",
			run: showShortcuts,
		},
	];
}
