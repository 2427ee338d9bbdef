import { useKeyNames } from "./use-key-names";

/** What pages have in common and a key does on each of them. */
export const pageKeys = { submit: "mod+Enter", refresh: "mod+R", find: "mod+F", copyPath: "mod+shift+C" } as const;

export type PageAction = keyof typeof pageKeys;

interface PageKey {
	"data-page-action": PageAction;
	title: string;
}

/** For the button or the field that the key presses or leads to. Its tooltip names the key. */
export function usePageKey(action: PageAction): PageKey {
	const names = useKeyNames();
	return { "data-page-action": action, title: names(pageKeys[action]).join("+") };
}

/** Presses the button of the page, or leads to its field; `false` where there is none. A dialog goes before its page. */
export function doOnPage(action: PageAction): boolean {
	const dialogs = document.querySelectorAll<HTMLElement>("[aria-modal=true]");
	const page = [...dialogs].at(-1) ?? document.getElementById("content");
	const part = page && (action === "submit" ? submitOf(page) : partOf(page, action));
	if (!part) return false;
	// The button that copies says that it has done so.
	if (action === "find" || action === "copyPath") part.focus();
	if (part instanceof HTMLInputElement) part.select();
	else part.click();
	return true;
}

/** Of the form that has the focus, or else of the page. */
function submitOf(page: HTMLElement): HTMLElement | undefined {
	const form = document.activeElement?.closest("form");
	const own = form && page.contains(form) ? form.querySelector<HTMLElement>("[type=submit]:not(:disabled)") : null;
	return own ?? partOf(page, "submit");
}

function partOf(page: HTMLElement, action: PageAction): HTMLElement | undefined {
	const parts = page.querySelectorAll<HTMLElement>(`[data-page-action=${action}]:not(:disabled)`);
	return [...parts].find((part) => part.checkVisibility());
}
