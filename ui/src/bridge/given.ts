import type { PreferencesView, SiteView } from "./bindings";

/** Data that the backend adds to the page before its scripts run; see `src-tauri/src/window/start_data.rs`. */
export interface Given {
	preferences: PreferencesView;
	sites: SiteView[];
	/** Time at which the backend read the data. */
	at: number;
}

declare global {
	interface Window {
		siteStewardStart?: Given;
	}
}

/** Returns the start data once. `null` in a browser and after a reload: `index.html` removes outdated data. */
export function takeGiven(): Given | null {
	const given = window.siteStewardStart ?? null;
	delete window.siteStewardStart;
	return given;
}
