import type { SiteView } from "@/bridge";
import { hostOf, isThisComputer } from "./hosts";

// Keyboards lack some characters of names. `confirmation.rs` of the program compares by the same rules, and both have the
// cases of `tests/fixtures/confirmations.json` and of `invisible-names.json`.

const replacements: readonly (readonly [RegExp, string])[] = [
	// Invisible characters, as in `files/names.rs`.
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

type Confirmed = Pick<SiteView, "id" | "name" | "environment" | "portal" | "portalAdminUrl" | "servers">;

/** What is typed before an import, its undo, and the deletion of a stored file; empty for the practice site. */
export function typedForImport(site: Confirmed): string {
	return isOurs(site) ? "" : shownName(site);
}

/** What is typed before webhooks are deactivated; empty except for production sites. */
export function typedForDeactivation(site: Confirmed): string {
	return site.environment === "production" ? shownName(site) : "";
}

/** The name of a site, or the host of one whose saved name shows nothing: it would be confirmed by nothing. */
function shownName(site: Confirmed): string {
	if (typeable(site.name) !== "") return site.name.trim();
	return (
		addressesOf(site)
			.map(hostOf)
			.find((host) => host !== "") ?? site.id
	);
}

/** Whether it is the practice site: the environment alone can be that of any site. */
function isOurs(site: Confirmed): boolean {
	return site.environment === "practice" && site.id === "practice" && addressesOf(site).every(isThisComputer);
}

function addressesOf({ portal, portalAdminUrl, servers }: Confirmed): string[] {
	const ofServers = servers.flatMap(({ address, servicesUrl, adminUrl }) => [address, servicesUrl, adminUrl]);
	return [portal, portalAdminUrl, ...ofServers].filter((address) => address !== null && address !== "") as string[];
}
