import { useHotkeys, useWindowEvent } from "@mantine/hooks";
import { Suspense, useEffect, useState } from "react";
import { type SessionView, type SiteView, useBackend } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useZoom } from "@/lib/use-zoom";
import { afterStart, whenShown } from "@/lib/when-shown";
import { AppMenu } from "./app-menu";
import { useCommands } from "./commands";
import { selectAll } from "./select-all";

const Palette = whenShown(async () => (await import("./command-palette")).default);
const Shortcuts = afterStart(async () => (await import("./shortcuts")).Shortcuts);

/** The buttons at the side of a mouse, by their numbers in an event. */
const mouseBack = 3;
const mouseForward = 4;

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
	const [asked, setAsked] = useState(0);
	const showPalette = () => setAsked((times) => times + 1);
	const [shortcuts, setShortcuts] = useState(false);
	const commands = useCommands({
		sites,
		site,
		session,
		showShortcuts: () => setShortcuts(true),
	});

	// With Ctrl, ⌘ or Alt they hold inside a field as well; a bare question mark belongs to the text there.
	const isHeld = (keys: string) => keys.startsWith("mod+") || keys.startsWith("alt+");
	const keyed = commands.flatMap(({ keys, waitsForDialog, run }) =>
		keys ? [{ keys, run: waitsForDialog ? unlessDialog(run) : run }] : [],
	);
	useHotkeys(
		[
			["mod+K", showPalette],
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

	useEffect(
		() =>
			backend.onMenu((act) => {
				const acts = {
					settings: () => go({ page: "settings" }),
					palette: () => setAsked((times) => times + 1),
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
			{asked > 0 ? (
				<Suspense>
					<Palette commands={commands} asked={asked} site={site?.name ?? null} />
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
		if (!document.querySelector("[aria-modal=true]")) act();
	};
}
