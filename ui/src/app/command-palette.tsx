import "@mantine/spotlight/styles.layer.css";
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import { IconLock, IconSearch } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type Place, useNavigation } from "@/lib/navigation";
import type { Command, CommandGroup } from "./commands";
import { Keys } from "./keys";

interface PaletteProps {
	commands: readonly Command[];
	/** Counts how often it was asked for; each time opens it. */
	asked: number;
	/** The name of the site on screen; its operations stand below it. */
	site: string | null;
}

/** What stays free of the window above and below. */
const edge = "min(12dvh, 96px)";

const groups: readonly CommandGroup[] = ["here", "pages", "sites", "acts"];

/** Everything that can be gone to or done, by its name. */
export default function Palette({ commands, asked, site }: PaletteProps) {
	const { t } = useTranslation();
	const { place } = useNavigation();
	const here = useRef(place);
	here.current = place;
	const before = useRef<{ place: Place; focused: Element | null } | null>(null);
	useEffect(() => {
		if (asked === 0) return;
		before.current ??= { place: here.current, focused: document.activeElement };
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
	const actions = groups
		.map(
			(group): SpotlightActionGroupData => ({
				group: group === "here" && site ? site : t(`palette.group.${group}`),
				actions: commands.filter((one) => one.group === group).map(action),
			}),
		)
		.filter((group) => group.actions.length > 0);
	return (
		<Spotlight
			actions={actions}
			shortcut={null}
			nothingFound={t("palette.nothing")}
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
			}}
		/>
	);
}

function action({ id, label, icon: Icon, keys, reason, run }: Command): SpotlightActionData {
	return {
		id,
		label,
		...(reason ? { description: reason, c: "dimmed" } : {}),
		leftSection: <Icon size={18} stroke={1.5} aria-hidden />,
		rightSection: reason ? <IconLock size={14} aria-hidden /> : keys ? <Keys of={keys} /> : null,
		onClick: run,
	};
}
