declare global {
	interface Window {
		/** What was pressed before React listened; `index.html` keeps it. */
		siteStewardKeys?: KeyboardEvent[];
	}
}

/** Gives the keys that were pressed before the first screen was there to whoever listens now. */
export function replayEarlyKeys(): void {
	// As many as there are now: a replayed key is one more for the page while the screen is not there yet.
	const pressed = [...(window.siteStewardKeys ?? [])];
	delete window.siteStewardKeys;
	for (const event of pressed) document.body.dispatchEvent(new KeyboardEvent(event.type, event));
}
