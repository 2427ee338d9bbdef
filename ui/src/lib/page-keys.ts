import { useOs } from "@mantine/hooks";
import { useTranslation } from "react-i18next";

/** Shortcuts of actions that most pages have. */
export const pageKeys = { submit: "mod+Enter", refresh: "mod+R", find: "mod+F", copyPath: "mod+shift+C" } as const;

export type PageAction = keyof typeof pageKeys;

interface PageKey {
	"data-page-action": PageAction;
	title: string;
}

/** Props for the button or field that a shortcut uses. The tooltip shows the keys. */
export function usePageKey(action: PageAction): PageKey {
	const names = useKeyNames();
	return { "data-page-action": action, title: names(pageKeys[action]).join("+") };
}

/**
 * Presses the button or focuses the field of an action, in the top dialog or else on the page. Returns `false` if there
 * is none.
 */
export function doOnPage(action: PageAction): boolean {
	const dialogs = document.querySelectorAll<HTMLElement>("[aria-modal=true]");
	const page = [...dialogs].at(-1) ?? document.getElementById("content");
	const part = page && (action === "submit" ? submitOf(page) : partOf(page, action));
	if (!part) return false;
	// The copy button gets the focus, because it shows the result of copying.
	if (action === "find" || action === "copyPath") part.focus();
	if (part instanceof HTMLInputElement) part.select();
	else part.click();
	return true;
}

/** Returns the submit button of the focused form, or else of the page. */
function submitOf(page: HTMLElement): HTMLElement | undefined {
	const form = document.activeElement?.closest("form");
	const own = form && page.contains(form) ? form.querySelector<HTMLElement>("[type=submit]:not(:disabled)") : null;
	return own ?? partOf(page, "submit");
}

function partOf(page: HTMLElement, action: PageAction): HTMLElement | undefined {
	const parts = page.querySelectorAll<HTMLElement>(`[data-page-action=${action}]:not(:disabled)`);
	return [...parts].find((part) => part.checkVisibility());
}

/** Returns a function that names the keys of a shortcut as this system labels them. */
export function useKeyNames(): (keys: string) => string[] {
	const { t } = useTranslation();
	const apple = useOs({ getValueInEffect: false }) === "macos";
	const names: Record<string, string> = {
		mod: apple ? "⌘" : t("shortcuts.ctrl"),
		shift: apple ? "⇧" : t("shortcuts.shift"),
		alt: t("shortcuts.alt"),
		Enter: apple ? "↩" : t("shortcuts.enter"),
		ArrowLeft: "←",
		ArrowRight: "→",
		plus: "+",
		minus: "−",
	};
	// "?" needs Shift on most keyboards, so it is shown alone.
	return (keys) => (keys === "shift+?" ? ["?"] : keys.split("+").map((key) => names[key] ?? key));
}
