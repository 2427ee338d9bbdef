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

/** Another object each time that the palette is asked for. */
export interface Asked {
	/** What had the focus. */
	focused: Element | null;
}

interface PaletteProps {
	commands: readonly Command[];
	/** Each time opens it. */
	asked: Asked;
	/** Called when its field has the focus; returns what was typed since it was asked for. */
	onReady: () => EarlyText | null;
	/** The site on screen; its operations stand below its name. */
	site: SiteView | null;
	session: SessionView | null;
}

/** What stays free of the window above and below. */
const edge = "min(12dvh, 96px)";

const groups: readonly CommandGroup[] = ["here", "pages", "sites", "services", "items", "actions"];

/** Everything that can be gone to or done, by its name. */
export default function Palette({ commands, asked, onReady, site, session }: PaletteProps) {
	const { t } = useTranslation();
	const { place } = useNavigation();
	const here = useRef(place);
	here.current = place;
	const before = useRef<{ place: Place; focused: Element | null } | null>(null);
	useEffect(() => {
		before.current ??= { place: here.current, focused: asked.focused };
		spotlight.open();
	}, [asked]);

	// A page or a dialog that took the focus keeps it. Whoever went elsewhere is there; everybody else is back.
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
		// Also when there is none: what was searched for before may be fading away still.
		setText(field, text);
		// Once what was found is there to choose from.
		const press = (code: string) =>
			field.dispatchEvent(new KeyboardEvent("keydown", { key: code, code, bubbles: true }));
		if (keys.length > 0) setTimeout(() => keys.forEach(press));
	};
	const [words, setWords] = useState("");
	// They were found by the words, wherever in a row these stand.
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
					{/* What no page read is not searched, which is no proof that a server lacks it. */}
					{site && session ? <Text size="xs">{t("palette.notRead")}</Text> : null}
				</>
			}
			highlightQuery
			// The colour of the site stays readable behind it.
			overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
			scrollable
			attributes={{ content: { "aria-label": t("palette.title"), "data-palette": true } }}
			returnFocus={false}
			onSpotlightClose={passFocusOn}
			centered={false}
			yOffset={edge}
			// The list alone scrolls, below the search. Its usual limit leaves little of it in a low window.
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

/** Gives a text to a field, as typing does. */
function setText(field: HTMLInputElement, text: string): void {
	// React listens to the field's own `value`, and would take the text for its own.
	const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
	set?.call(field, text);
	field.dispatchEvent(new Event("input", { bubbles: true }));
}
