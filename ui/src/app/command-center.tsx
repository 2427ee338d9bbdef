import { useHotkeys, useWindowEvent } from "@mantine/hooks";
import { Suspense, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type SessionView, type SiteView, useBackend } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { doOnPage, pageKeys } from "@/lib/page-keys";
import { useZoom } from "@/lib/use-zoom";
import { afterStart, whenShown } from "@/lib/when-shown";
import { AppMenu } from "./app-menu";
import type { Asked } from "./command-palette";
import { useCommands } from "./commands";
import { EarlyField, type EarlyText } from "./early-field";
import { selectAll } from "./select-all";

const Palette = whenShown(async () => (await import("./command-palette")).default);
const Shortcuts = afterStart(async () => (await import("./shortcuts")).Shortcuts);

/** The buttons at the side of a mouse, by their numbers in an event. */
const mouseBack = 3;
const mouseForward = 4;

const noText: EarlyText = { text: "", keys: [] };

interface CommandCenterProps {
	sites: readonly SiteView[];
	site: SiteView | null;
	session: SessionView | null;
}

/** The menu in the bar, the palette, the keys and their overview, and what the menu of macOS asks for. */
export function CommandCenter({ sites, site, session }: CommandCenterProps) {
	const backend = useBackend();
	const { go, back, forward } = useNavigation();
	const zoom = useZoom();
	const [asked, setAsked] = useState<Asked | null>(null);
	const early = useRef<EarlyText>(noText);
	const [waiting, setWaiting] = useState(false);
	const showPalette = () => {
		const focused = document.activeElement;
		if (waiting || focused?.closest("[data-palette]")) return;
		early.current = noText;
		// At once: the next key may be waiting already.
		flushSync(() => {
			setAsked({ focused });
			setWaiting(true);
		});
	};
	const takeEarly = () => {
		if (!waiting) return null;
		setWaiting(false);
		const typed = early.current;
		early.current = noText;
		return typed;
	};
	const [shortcuts, setShortcuts] = useState(false);
	const commands = useCommands({
		sites,
		site,
		session,
		showShortcuts: () => setShortcuts(true),
	});

	// With Ctrl, ⌘ or Alt they hold inside a field as well; a bare question mark belongs to the text there.
	const isHeld = (keys: string) => keys.startsWith("mod+") || keys.startsWith("alt+");
	const keyed = commands.flatMap(({ keys, isBound, group, run }) =>
		keys && !isBound ? [{ keys, run: group === "actions" ? run : unlessDialog(run) }] : [],
	);
	useHotkeys(
		[
			["mod+K", showPalette],
			[pageKeys.submit, unlessDialog(() => void doOnPage("submit"))],
			// Nothing loads the window again: what is typed would be lost.
			[pageKeys.refresh, () => void doOnPage("refresh")],
			["F5", () => void doOnPage("refresh")],
			[pageKeys.copyPath, () => void doOnPage("copyPath")],
			// Where a page has nothing to find in, the search of the web view may have.
			[pageKeys.find, (event) => doOnPage("find") && event.preventDefault(), { preventDefault: false }],
			// Where + is on a key with another sign, and where it is not.
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
			{waiting ? <EarlyField typed={early} /> : null}
			{asked ? (
				<Suspense>
					<Palette commands={commands} asked={asked} onReady={takeEarly} site={site} session={session} />
				</Suspense>
			) : null}
			<Suspense>
				<Shortcuts commands={commands} opened={shortcuts} onClose={() => setShortcuts(false)} />
			</Suspense>
		</>
	);
}

/** A dialog is about the page below it, which stays until the dialog is answered. */
function unlessDialog(act: () => void): () => void {
	return () => {
		const dialog = document.querySelector("[aria-modal=true]");
		// One that is fading away has given the focus back to the window.
		const focused = document.activeElement;
		const isFading = !focused?.closest("[aria-modal=true]") && focused?.closest("header, nav, main, footer");
		if (!dialog || isFading) act();
	};
}
