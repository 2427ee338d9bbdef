declare global {
	interface Window {
		/** What was pressed before React listened; `index.html` keeps it. */
		siteStewardKeys?: KeyboardEvent[];
	}
}

/** Gives the keys that were pressed before the first screen was there to whoever listens now. */
export function replayEarlyKeys(): void {
	for (const event of window.siteStewardKeys ?? []) document.body.dispatchEvent(new KeyboardEvent(event.type, event));
	delete window.siteStewardKeys;
}
