import "@mantine/spotlight/styles.layer.css";
import { Text } from "@mantine/core";
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { operations, type SessionView, type SiteView, type Target, useBackend } from "@/bridge";
import { HindranceIcon } from "@/components/hindrance-icon";
import { type Place, useBring, useNavigation } from "@/lib/navigation";
import { useFinds } from "@/lib/queries/items";
import { serverName, serverOf } from "@/lib/target";
import { unavailableReason } from "@/lib/use-read-only";
import { operationUis } from "@/operations";
import { type Command, type CommandGroup, Keys } from "./commands";

/** Request to open the palette. Each request is a new object. */
export interface PaletteRequest {
	focused: Element | null;
}

interface PaletteProps {
	commands: readonly Command[];
	/** A new value opens the palette. */
	request: PaletteRequest;
	/** Current site. The palette shows its operations below its name. */
	site: SiteView | null;
	session: SessionView | null;
}

/** Free space above and below the palette. */
const edge = "min(12dvh, 96px)";

const groups: readonly CommandGroup[] = ["here", "pages", "sites", "services", "items", "actions"];

/** Command palette: searches everything that can be opened or done. */
export default function Palette({ commands, request, site, session }: PaletteProps) {
	const { t } = useTranslation();
	const { place } = useNavigation();
	const [words, setWords] = useState("");
	const here = useRef(place);
	here.current = place;
	const before = useRef<{ place: Place; focused: Element | null } | null>(null);
	useEffect(() => {
		before.current ??= { place: here.current, focused: request.focused };
		// The previous search might still be fading out.
		setWords("");
		spotlight.open();
	}, [request]);

	// Returns the focus after closing: to the element that had it, or to the page if the user navigated. A page or dialog
	// that took the focus keeps it.
	const passFocusOn = () => {
		const { place: from, focused } = before.current ?? { place: here.current, focused: null };
		before.current = null;
		setTimeout(() => {
			const now = document.activeElement;
			if (now && now !== document.body && !now.closest("[data-palette]")) return;
			const next = here.current === from ? focused : document.getElementById("content");
			if (next instanceof HTMLElement) next.focus({ preventScroll: true });
		}, 10);
	};
	// Keeps every result in the filter of the palette, which compares label and keywords: the words can be in another
	// field of a row.
	const finds = useSiteFinds(site, session, words).map((find) => ({ ...find, keywords: words }));
	const actions = groups
		.map(
			(group): SpotlightActionGroupData => ({
				group: group === "here" && site ? site.name : t(`palette.group.${group}`),
				actions: [...commands, ...finds].filter((one) => one.group === group).map(action),
			}),
		)
		.filter((group) => group.actions.length > 0);
	return (
		<Spotlight
			actions={actions}
			query={words}
			onQueryChange={setWords}
			shortcut={null}
			nothingFound={
				<>
					<Text>{t("palette.nothing")}</Text>
					{/* Only what a page has read is searched, so a server might have more. */}
					{site && session ? <Text size="xs">{t("palette.notRead")}</Text> : null}
				</>
			}
			highlightQuery
			// The color of the site stays visible behind the palette.
			overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
			scrollable
			attributes={{ content: { "aria-label": t("palette.title"), "data-palette": true } }}
			returnFocus={false}
			onSpotlightClose={passFocusOn}
			centered={false}
			yOffset={edge}
			// Only the list scrolls. The default limit leaves little of it in a low window.
			styles={{ actionsList: { maxHeight: `calc(100dvh - 2 * ${edge} - 4rem)` } }}
			searchProps={{
				leftSection: <IconSearch size={18} stroke={1.5} aria-hidden />,
				placeholder: t("palette.search"),
				"aria-label": t("palette.search"),
			}}
		/>
	);
}

function action(command: Command): SpotlightActionData {
	const { id, label, icon: Icon, keys, description, keywords, reason, hindrance, run } = command;
	return {
		id,
		label,
		...(description ? { description } : {}),
		...(keywords ? { keywords } : {}),
		...(reason ? { description: reason, c: "dimmed" } : {}),
		leftSection: <Icon size={18} stroke={1.5} aria-hidden />,
		rightSection: hindrance ? <HindranceIcon kind={hindrance} /> : keys && !reason ? <Keys of={keys} /> : null,
		onClick: run,
	};
}

/** Results shown of each kind and server. */
const mostPerServer = 8;
/** Limits on a site with more than `fewServers` servers, so that the list stays short. */
const fewServers = 3;
const mostOfManyServers = 3;
/** Minimum number of letters: fewer occur in almost every name. */
const minLetters = 2;

/**
 * Searches the services and data store items of all servers of a site, the current server first. Only what a page has
 * read before is searched, because listing all services takes a request for each folder.
 */
function useSiteFinds(site: SiteView | null, session: SessionView | null, words: string): Command[] {
	const backend = useBackend();
	const bring = useBring();
	const { t } = useTranslation();
	const targets = site ? targetsOf(site) : [];
	const wanted = words.trim();
	const asks = site !== null && session !== null && wanted.length >= minLetters;
	const finding = operations.flatMap(({ key }) => {
		const { finds, icon } = operationUis[key];
		return finds && !unavailableReason(session, key) ? [{ key, icon, ...finds }] : [];
	});
	const asked = finding.flatMap((find) => targets.map((target) => ({ ...find, target })));
	const each = targets.length > fewServers ? mostOfManyServers : mostPerServer;
	const read = (queries: QueryClient) =>
		Promise.all(
			asked.map(async ({ read, ...of }) => ({
				...of,
				finds: await read({ backend, queries, target: of.target, words: wanted, most: each }),
			})),
		);
	const { data } = useFinds(site?.id ?? "", wanted, asks ? read : null);
	return (data ?? []).flatMap(({ key, group, icon, target, finds }) =>
		finds.map(({ label, path, brought }): Command => {
			const server = site && site.servers.length > 1 && target.server ? serverName(site, target.server) : "";
			const where = path === label ? "" : path;
			const description = server && where ? t("palette.onServer", { path: where, server }) : server || where;
			return {
				id: `${key} ${target.server} ${path} ${label}`,
				group,
				label,
				...(description ? { description } : {}),
				icon,
				run: () => bring(target, key, brought),
			};
		}),
	);
}

function targetsOf(site: SiteView): Target[] {
	const current = serverOf(site);
	const others = site.servers.filter(({ id }) => id !== current.server);
	return [current, ...others.map(({ id }) => ({ site: site.id, server: id }))];
}
