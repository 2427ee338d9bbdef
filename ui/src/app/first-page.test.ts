import { readFileSync } from "node:fs";
import { vi } from "vitest";
import type { Preferences, PreferencesView } from "@/bridge";
import { type Given, takeGiven } from "@/bridge/given";
import { usualPreferences } from "@/lib/preferences";
import { siteColors, siteGround } from "@/lib/site-color";
import { signedInSite } from "@/test/render";

const page = readFileSync("index.html", "utf8");

const looking = (changes: Partial<Preferences>): PreferencesView => ({
	preferences: { ...usualPreferences, lastSite: "city", ...changes },
	setAside: [],
	policy: null,
});

/** Runs the inline script of the page, without the files that the page loads. */
function load(given: Partial<Given> | null, navigation = "navigate") {
	vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: navigation } as PerformanceNavigationTiming]);
	if (given) {
		window.siteStewardStart = {
			preferences: looking({}),
			sites: [signedInSite().site],
			at: performance.timeOrigin,
			...given,
		};
	}
	document.body.innerHTML = /<body>(.*?)<script>/s.exec(page)?.[1] ?? "";
	for (const [, script = ""] of page.matchAll(/<script>(.*?)<\/script>/gs)) new Function(script)();
}

const shell = () => document.getElementById("first-shell") as HTMLElement;
const bar = () => shell().firstElementChild as HTMLElement;

afterEach(() => {
	delete window.siteStewardStart;
	document.body.innerHTML = "";
	vi.unstubAllGlobals();
});

test("a start takes what the program gives to the page, once", () => {
	load({});
	expect(takeGiven()?.sites.map(({ id }) => id)).toEqual(["city"]);
	expect(takeGiven()).toBeNull();
});

test("a page that is loaded again asks the program: what was given to the first one is old", () => {
	load({}, "reload");
	expect(takeGiven()).toBeNull();
	expect(shell()).not.toBeVisible();
});

test("a page that is loaded anew later asks the program as well", () => {
	load({ at: performance.timeOrigin - 60_000 });
	expect(takeGiven()).toBeNull();
});

test("a page in an ordinary browser is given nothing", () => {
	load(null);
	expect(takeGiven()).toBeNull();
});

test.each(siteColors)("before any script is there, the bar of a site that is %s has its color and name", (color) => {
	load({ sites: [{ ...signedInSite().site, name: "City <b>GIS</b>", color }] });
	expect(shell()).toBeVisible();
	expect(shell()).toHaveAttribute("aria-hidden", "true");
	expect(bar()).toHaveTextContent("City <b>GIS</b>");
	expect(shell().style.getPropertyValue("--first-ground")).toBe(siteGround(color));
});

test("without a site of before, the bar has the name of the app and no color", () => {
	load({ preferences: looking({ lastSite: null }) });
	expect(bar()).toHaveTextContent("Site Steward");
	expect(shell().style.getPropertyValue("--first-ground")).toBe("");
});

test.each([
	["dark", "de", "dark", "de"],
	["light", "es", "light", "es"],
	["system", "system", "light", "en"],
] as const)("the page is %s and in %s from its first moment", (theme, language, scheme, spoken) => {
	load({ preferences: looking({ theme, language }) });
	expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", scheme);
	expect(document.documentElement).toHaveAttribute("lang", spoken);
});

test("the program is told at once that there is something to show", () => {
	const invoke = vi.fn(async () => {});
	vi.stubGlobal("__TAURI_INTERNALS__", { invoke });
	load({});
	expect(invoke).toHaveBeenCalledExactlyOnceWith("window_has_content");
});
