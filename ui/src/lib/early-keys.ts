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
	// Nothing listens before React has drawn, which may take longer than a start is waited for.
	if (document.getElementById("first-shell")) {
		setTimeout(replayEarlyKeys, 100);
		return;
	}
	const pressed = window.siteStewardKeys ?? [];
	delete window.siteStewardKeys;
	for (const event of pressed) {
		const target = document.activeElement ?? document.body;
		const isFree = target.dispatchEvent(new KeyboardEvent(event.type, event));
		if (isFree && target instanceof HTMLInputElement) typeInto(target, event);
	}
}

function typeInto(field: HTMLInputElement, event: KeyboardEvent): void {
	// On Windows, AltGr is Ctrl and Alt, and what it makes is text.
	if ((event.ctrlKey && !event.getModifierState("AltGraph")) || event.metaKey) return;
	if (event.key === "Backspace") setText(field, [...field.value].slice(0, -1).join(""));
	else if ([...event.key].length === 1) setText(field, field.value + event.key);
}

/** Gives a text to a field, as typing does. */
export function setText(field: HTMLInputElement, text: string): void {
	// React listens to the field's own `value`, and would take the text for its own.
	const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
	set?.call(field, text);
	field.dispatchEvent(new Event("input", { bubbles: true }));
}
