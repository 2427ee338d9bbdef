import { ActionIcon, Menu } from "@mantine/core";
import { useHotkeys, useWindowEvent } from "@mantine/hooks";
import { IconCommand, IconMenu2 } from "@tabler/icons-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type SessionView, type SiteView, useBackend } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { doOnPage, pageKeys } from "@/lib/page-keys";
import { started } from "@/lib/started";
import { useZoom } from "@/lib/use-zoom";
import { afterStart, whenShown } from "@/lib/when-shown";
import type { PaletteRequest } from "./command-palette";
import { type Command, Keys, useCommands } from "./commands";

const Palette = whenShown(async () => (await import("./command-palette")).default);
// Loaded before it is first requested, so that it takes the keys at once.
void started.then(() => import("./command-palette"));
const Shortcuts = afterStart(async () => (await import("./shortcuts")).Shortcuts);

/** `button` of mouse events from the side buttons of a mouse. */
const mouseBack = 3;
const mouseForward = 4;

interface CommandCenterProps {
	sites: readonly SiteView[];
	site: SiteView | null;
	session: SessionView | null;
}

/** Menu button, command palette, shortcuts with their overview, and the system menu of macOS. */
export function CommandCenter({ sites, site, session }: CommandCenterProps) {
	const backend = useBackend();
	const { go, back, forward } = useNavigation();
	const zoom = useZoom();
	const [request, setRequest] = useState<PaletteRequest | null>(null);
	const showPalette = () => {
		const focused = document.activeElement;
		if (focused?.closest("[data-palette]")) return;
		// Keys that are pressed before the search has the focus must not reach a field of the page.
		if (focused instanceof HTMLElement) focused.blur();
		setRequest({ focused });
	};
	const [shortcuts, setShortcuts] = useState(false);
	const commands = useCommands({
		sites,
		site,
		session,
		showShortcuts: () => setShortcuts(true),
	});

	// Shortcuts with Ctrl, ⌘, or Alt work in fields as well, and F1, because questions arise there; "?" is text there.
	const isHeld = (keys: string) => /^(mod\+|alt\+|F1$)/.test(keys);
	const keyed = commands.flatMap(({ keys, group, run }) =>
		keys ? [{ keys, run: group === "actions" || keys === "F1" ? run : unlessDialog(run) }] : [],
	);
	useHotkeys(
		[
			["mod+K", showPalette],
			[pageKeys.submit, unlessDialog(() => void doOnPage("submit"))],
			// The browser's reload would discard unsaved input.
			[pageKeys.refresh, () => void doOnPage("refresh")],
			["F5", () => void doOnPage("refresh")],
			[pageKeys.copyPath, () => void doOnPage("copyPath")],
			// If the page has no search, the web view can use its own.
			[pageKeys.find, (event) => doOnPage("find") && event.preventDefault(), { preventDefault: false }],
			// "+" is a key of its own on some keyboards, and Shift+"=" on others.
			["mod+=", zoom.larger],
			["mod+shift+plus", zoom.larger],
			...keyed.filter(({ keys }) => isHeld(keys)).map(({ keys, run }): [string, () => void] => [keys, run]),
		],
		[],
	);
	useHotkeys(keyed.filter(({ keys }) => !isHeld(keys)).map(({ keys, run }): [string, () => void] => [keys, run]));

	useWindowEvent("keydown", selectAll);
	useWindowEvent("mouseup", (event) => {
		const act = event.button === mouseBack ? back : event.button === mouseForward ? forward : null;
		if (act) unlessDialog(act)();
	});

	const show = useRef(showPalette);
	show.current = showPalette;
	useEffect(
		() =>
			backend.onMenu((act) => {
				const acts = {
					settings: unlessDialog(() => go({ page: "settings" })),
					palette: () => show.current(),
					shortcuts: () => setShortcuts(true),
					zoomIn: zoom.larger,
					zoomOut: zoom.smaller,
					zoomReset: zoom.usual,
					back: unlessDialog(() => back?.()),
					forward: unlessDialog(() => forward?.()),
				};
				acts[act]();
			}),
		[backend, go, back, forward, zoom],
	);

	return (
		<>
			<AppMenu commands={commands} onPalette={showPalette} />
			{request ? (
				<Suspense>
					<Palette commands={commands} request={request} site={site} session={session} />
				</Suspense>
			) : null}
			<Suspense>
				<Shortcuts commands={commands} opened={shortcuts} onClose={() => setShortcuts(false)} />
			</Suspense>
		</>
	);
}

/** Ignores the command while a dialog is open, because the dialog depends on the page below it. */
function unlessDialog(act: () => void): () => void {
	return () => {
		const dialog = document.querySelector("[aria-modal=true]");
		// A dialog that fades out has returned the focus to the window.
		const focused = document.activeElement;
		const isFading = !focused?.closest("[aria-modal=true]") && focused?.closest("header, nav, main, footer");
		if (!dialog || isFading) act();
	};
}

/** Fields in which the browser handles "select all": it selects the text of the field. */
const field =
	"textarea, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])";
/** Elements that are copied as a whole. Grids are excluded, because only some of their rows are in the document. */
const copied = "table, pre, code, blockquote, article, [role=alert], [role=status]";

/**
 * Handles "select all": selects the text of a field, or the table or text around the focus. Elsewhere, nothing is
 * selected, because selecting the whole window is useless.
 */
export function selectAll(event: KeyboardEvent): void {
	if (event.key.toLowerCase() !== "a" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
	const at = event.target instanceof Element ? event.target : null;
	if (at?.closest(field)) return;
	event.preventDefault();
	const selection = document.getSelection();
	// The last click counts only if the focus has not moved since.
	const clicked = selection?.anchorNode ?? null;
	const whole = copyable(at) ?? (at?.contains(clicked) ? copyable(clicked) : null);
	if (whole) selection?.selectAllChildren(whole);
}

/** Returns the copyable element around a node. */
function copyable(node: Node | null): Element | null {
	const element = node instanceof Element ? node : (node?.parentElement ?? null);
	return element?.closest(copied) ?? null;
}

/** Groups of the menu, by command ID. */
const groups = [["back", "forward"], ["shortcuts"], ["zoom-in", "zoom-out", "zoom-reset"], ["help", "settings"]];

/** Application menu: the command palette, and the commands about the app itself. */
function AppMenu({ commands, onPalette }: { commands: readonly Command[]; onPalette: () => void }) {
	const { t } = useTranslation();
	return (
		<Menu position="bottom-end" width={260}>
			<Menu.Target>
				<ActionIcon variant="transparent" color="currentColor" aria-label={t("menu.title")} title={t("menu.title")}>
					<IconMenu2 size={18} aria-hidden />
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				<Menu.Item
					leftSection={<IconCommand size={16} stroke={1.5} aria-hidden />}
					rightSection={<Keys of="mod+K" />}
					onClick={onPalette}
				>
					{t("menu.palette")}
				</Menu.Item>
				{groups.map((ids, place) => [
					place > 0 ? <Menu.Divider key={`before ${ids[0]}`} /> : null,
					...commands
						.filter(({ id }) => ids.includes(id))
						.map(({ id, label, icon: Icon, keys, reason, run }) => (
							<Menu.Item
								key={id}
								leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
								rightSection={keys ? <Keys of={keys} /> : null}
								disabled={reason !== undefined}
								title={reason}
								onClick={run}
							>
								{label}
							</Menu.Item>
						)),
				])}
			</Menu.Dropdown>
		</Menu>
	);
}
