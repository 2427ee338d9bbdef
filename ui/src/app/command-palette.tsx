import "@mantine/spotlight/styles.layer.css";
import { Text } from "@mantine/core";
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SessionView, SiteView } from "@/bridge";
import { HindranceIcon } from "@/components/hindrance-icon";
import { type Place, useNavigation } from "@/lib/navigation";
import type { Command, CommandGroup } from "./commands";
import type { EarlyText } from "./early-field";
import { Keys } from "./keys";
import { useSiteFinds } from "./use-site-finds";

/** Request to open the palette. Each request is a new object. */
export interface PaletteRequest {
	focused: Element | null;
}

interface PaletteProps {
	commands: readonly Command[];
	/** A new value opens the palette. */
	request: PaletteRequest;
	/**
	 * Called when the search field has the focus. Returns what was typed since the request; `null` if it was already
	 * returned.
	 */
	onReady: () => EarlyText | null;
	/** Current site. The palette shows its operations below its name. */
	site: SiteView | null;
	session: SessionView | null;
}

/** Free space above and below the palette. */
const edge = "min(12dvh, 96px)";

const groups: readonly CommandGroup[] = ["here", "pages", "sites", "services", "items", "actions"];

/** Command palette: searches everything that can be opened or done. */
export default function Palette({ commands, request, onReady, site, session }: PaletteProps) {
	const { t } = useTranslation();
	const { place } = useNavigation();
	const here = useRef(place);
	here.current = place;
	const before = useRef<{ place: Place; focused: Element | null } | null>(null);
	useEffect(() => {
		before.current ??= { place: here.current, focused: request.focused };
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
	const takeOver = (field: HTMLInputElement) => {
		const early = onReady();
		if (!early) return;
		const { text, keys } = early;
		// Also if it is empty: the previous search might still be fading out.
		setText(field, text);
		// After the matching commands are rendered.
		const press = (code: string) =>
			field.dispatchEvent(new KeyboardEvent("keydown", { key: code, code, bubbles: true }));
		if (keys.length > 0) setTimeout(() => keys.forEach(press));
	};
	const [words, setWords] = useState("");
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
				onFocus: ({ currentTarget }) => takeOver(currentTarget),
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

/** Sets the value of a field as typing does. */
function setText(field: HTMLInputElement, text: string): void {
	// React overrides `value` of the element and would ignore a change made through it.
	const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
	set?.call(field, text);
	field.dispatchEvent(new Event("input", { bubbles: true }));
}
