import type { ServerId, SiteView } from "@/bridge";

// Keyboards lack some characters of names. `confirmation.rs` of the program compares by the same rules, and both have the
// cases of `tests/fixtures/confirmations.json` and of `invisible-names.json`.

const replacements: readonly (readonly [RegExp, string])[] = [
	// Invisible characters, as in `steward-client/src/invisible.rs`.
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

/** Returns the text to type before an import into a server, or into the portal; empty for none. The program decides it. */
export function toTypeForImport({ confirmByTyping }: SiteView, server: ServerId | null): string {
	const { portalImport, serverImports } = confirmByTyping;
	return (server === null ? undefined : serverImports[server]) ?? portalImport;
}

/** Returns whether what was typed confirms a name. */
export function confirms(typed: string, name: string): boolean {
	return typeable(typed) === typeable(name);
}

/** The first difference of what was typed from a name; `null` while it is its beginning, or all of it. */
export interface Difference {
	/** Its place, from 1. */
	place: number;
	/** What was typed there. */
	typed: string;
	/** What belongs there; empty behind the end of the name. */
	wanted: string;
}

export function differenceFrom(name: string, typed: string): Difference | null {
	const [wanted, given] = [[...typeable(name)], [...typeable(typed)]];
	const place = given.findIndex((letter, index) => letter !== wanted[index]);
	const letter = given[place];
	return letter === undefined ? null : { place: place + 1, typed: letter, wanted: wanted[place] ?? "" };
}
