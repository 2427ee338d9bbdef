declare global {
	interface Window {
		/** What was pressed before React listened; `index.html` keeps it. */
		siteStewardKeys?: KeyboardEvent[];
	}
}

/**
 * Gives the keys that were pressed before the first screen was there to whoever listens now, and their letters to the
 * field that one of them led to.
 */
export function replayEarlyKeys(): void {
	// As many as there are now: a replayed key is one more for the page while the screen is not there yet.
	const pressed = [...(window.siteStewardKeys ?? [])];
	delete window.siteStewardKeys;
	for (const event of pressed) {
		const target = document.activeElement ?? document.body;
		const isFree = target.dispatchEvent(new KeyboardEvent(event.type, event));
		const isText = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
		if (isFree && isText && target instanceof HTMLInputElement) setText(target, target.value + event.key);
	}
}

/** Gives a text to a field, as typing does. */
export function setText(field: HTMLInputElement, text: string): void {
	// React listens to the field's own `value`, and would take the text for its own.
	const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
	set?.call(field, text);
	field.dispatchEvent(new Event("input", { bubbles: true }));
}
