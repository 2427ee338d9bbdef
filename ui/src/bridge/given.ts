import type { PreferencesView, SiteView } from "./bindings";

/** What the program gives to the page before its scripts run; see `src-tauri/src/window/start_data.rs`. */
export interface Given {
	preferences: PreferencesView;
	sites: SiteView[];
	/** When the program read them. */
	at: number;
}

declare global {
	interface Window {
		siteStewardStart?: Given;
	}
}

/** `null` outside the program, and on a page that was loaded again: `index.html` drops what is old by then. */
export function takeGiven(): Given | null {
	const given = window.siteStewardStart ?? null;
	delete window.siteStewardStart;
	return given;
}
