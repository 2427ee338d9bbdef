import type { ServerId, SiteView } from "@/bridge";

// Keyboards lack some characters of names. `confirmation.rs` compares by the same rules; both are tested with
// `tests/fixtures/confirmations.json` and `invisible-names.json`.

const replacements: readonly (readonly [RegExp, string])[] = [
	// Invisible characters; the same list as in `steward-client/src/invisible.rs`.
	[/[\p{Default_Ignorable_Code_Point}\u2028-\u202e\u2800]/gu, ""],
	[/ß/g, "ss"],
	[/ẞ/g, "SS"],
	[/[\u2010-\u2015\u2212]/g, "-"],
	[/[\u2018-\u201b\u2032`´]/g, "'"],
	[/[\u201c-\u201f\u2033«»]/g, '"'],
	[/…/g, "..."],
	[/\s+/g, " "],
];

/** Returns a text as it can be typed on any keyboard, for comparison. */
export function typeable(text: string): string {
	return replacements.reduce((now, [found, by]) => now.replace(found, by), text.normalize("NFC")).trim();
}

/**
 * Returns the text that the user must type before an import; empty if no confirmation is required. `server`: `null` for
 * the portal. The backend decides the text.
 */
export function toTypeForImport({ confirmByTyping }: SiteView, server: ServerId | null): string {
	const { portalImport, serverImports } = confirmByTyping;
	return (server === null ? undefined : serverImports[server]) ?? portalImport;
}

export function confirms(typed: string, name: string): boolean {
	return typeable(typed) === typeable(name);
}

/** First character at which a typed text differs from a name. */
export interface Difference {
	/** Position of the character, from 1. */
	place: number;
	typed: string;
	/** Expected character; empty if the name ends before it. */
	wanted: string;
}

export function differenceFrom(name: string, typed: string): Difference | null {
	const [wanted, given] = [[...typeable(name)], [...typeable(typed)]];
	const place = given.findIndex((letter, index) => letter !== wanted[index]);
	const letter = given[place];
	return letter === undefined ? null : { place: place + 1, typed: letter, wanted: wanted[place] ?? "" };
}
