import { readFileSync } from "node:fs";
import { vi } from "vitest";
import { type Given, takeGiven } from "@/bridge/given";
import { usualPreferences } from "@/lib/preferences";
import { signedInSite } from "@/test/render";

const page = readFileSync("index.html", "utf8");

/** Loads the page as far as it goes without the files beside it. */
function load(given: Partial<Given> | null, navigation = "navigate") {
	vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: navigation } as PerformanceNavigationTiming]);
	if (given) {
		const preferences = { preferences: { ...usualPreferences, lastSite: "city" }, setAside: null, policy: null };
		window.siteStewardStart = { preferences, sites: [signedInSite().site], at: performance.timeOrigin, ...given };
	}
	for (const [, script = ""] of page.matchAll(/<script>(.*?)<\/script>/gs)) new Function(script)();
}

afterEach(() => {
	delete window.siteStewardStart;
});

test("a start takes what the program gives to the page, once", () => {
	load({});
	expect(takeGiven()?.sites.map(({ id }) => id)).toEqual(["city"]);
	expect(takeGiven()).toBeNull();
});

test("a page that is loaded again asks the program: what was given to the first one is old", () => {
	load({}, "reload");
	expect(takeGiven()).toBeNull();
});

test("a page that is loaded anew later asks the program as well", () => {
	load({ at: performance.timeOrigin - 60_000 });
	expect(takeGiven()).toBeNull();
});

test("a page in an ordinary browser is given nothing", () => {
	load(null);
	expect(takeGiven()).toBeNull();
});
