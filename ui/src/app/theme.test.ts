import { readFileSync } from "node:fs";
import { DEFAULT_THEME, luminance } from "@mantine/core";
import { resolveVariables } from "./theme";

test("no style sheet chooses its colours in a way that the build breaks", () => {
	const sheets = Object.keys(import.meta.glob("/src/**/*.css"));
	expect(sheets.length).toBeGreaterThan(5);
	expect(sheets.filter((file) => readFileSync(`.${file}`, "utf8").includes("light-dark("))).toEqual([]);
});

test("the window's own edges are not undone by the style of a part that is loaded later", () => {
	const layers = readFileSync("src/app/window.css", "utf8").matchAll(/@layer mantine \{(.*?)\n\}/gs);
	const selectors = [...layers].flatMap(([, rules = ""]) => [...rules.matchAll(/(?:^|,)\n?\t(\S.*?)(?: \{|,)$/gm)]);
	expect(selectors.length).toBeGreaterThan(5);
	for (const [, selector = ""] of selectors) expect(selector).toMatch(/^html\b/);
});

test("what the program paints before the page does is the page's own ground", () => {
	const program = readFileSync("../src-tauri/src/window/appearance.rs", "utf8");
	const grounds = [...program.matchAll(/Color\(0x(..), 0x(..), 0x(..), 0xff\)/g)].map(
		([, ...parts]) => `#${parts.join("")}`,
	);
	expect(grounds).toEqual([DEFAULT_THEME.colors.dark[7], DEFAULT_THEME.white.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3")]);
});

/** Resolves a variable such as `var(--mantine-color-gray-6)`. */
function colour(name: string | undefined): string {
	const [, family = "", shade = ""] = /^var\(--mantine-color-(\w+)-(\d)\)$/.exec(name ?? "") ?? [];
	const found = DEFAULT_THEME.colors[family]?.[Number(shade)];
	if (!found) throw new Error(`no colour of the theme: ${name}`);
	return found;
}

function contrast(one: string, other: string): number {
	const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((less, more) => less - more);
	return (light + 0.05) / (dark + 0.05);
}

test("the edge of a field and of a button is seen on every ground it stands on", () => {
	const { light, dark } = resolveVariables(DEFAULT_THEME);
	// Backgrounds of quiet buttons: the page, and the button itself.
	const grounds = {
		light: ["#ffffff", colour(light["--quiet-ground"])],
		dark: [
			colour("var(--mantine-color-dark-7)"),
			colour("var(--mantine-color-dark-6)"),
			colour(dark["--quiet-ground"]),
		],
	};
	for (const ground of grounds.light) expect(contrast(colour(light["--edge"]), ground)).toBeGreaterThan(3);
	for (const ground of grounds.dark) expect(contrast(colour(dark["--edge"]), ground)).toBeGreaterThan(3);
});

test("the words of a quiet button are read under the mouse", () => {
	const { light, dark } = resolveVariables(DEFAULT_THEME);
	const { blue } = DEFAULT_THEME.colors;
	for (const [theme, words] of [
		[light, blue[9]],
		[dark, colour(dark["--mantine-color-blue-light-color"])],
	] as const) {
		expect(theme["--mantine-color-blue-light-hover"]).toBe("var(--chosen-ground)");
		const ground = theme["--chosen-ground"] ?? "";
		expect(contrast(words, ground.startsWith("#") ? ground : colour(ground))).toBeGreaterThan(4.5);
	}
});

/** Every background of the window: the page, cards, the sidebar. */
const allGrounds = {
	light: ["#ffffff", colour("var(--mantine-color-gray-0)")],
	dark: [6, 7, 8].map((shade) => colour(`var(--mantine-color-dark-${shade})`)),
};

test.each(["light", "dark"] as const)("the focus ring is seen on every ground of the %s window", (scheme) => {
	const ring = resolveVariables(DEFAULT_THEME)[scheme]["--accent"];
	const shown = ring === "var(--mantine-primary-color-filled)" ? "var(--mantine-color-blue-8)" : ring;
	for (const ground of allGrounds[scheme]) expect(contrast(colour(shown), ground)).toBeGreaterThan(4.5);
	const sheets = Object.keys(import.meta.glob("/src/**/*.css")).map((file) => readFileSync(`.${file}`, "utf8"));
	const rings = sheets.flatMap((sheet) => [...sheet.matchAll(/outline: 2px solid (.*);/g)].map(([, of]) => of));
	expect(new Set(rings)).toEqual(new Set(["var(--accent)"]));
	// The selector must be as specific as that of Mantine.
	expect(readFileSync("src/app/window.css", "utf8")).toContain("html .mantine-focus-auto:focus-visible");
});

test.each(["light", "dark"] as const)("the label of an unavailable button is read in the %s window", (scheme) => {
	const of = resolveVariables(DEFAULT_THEME)[scheme];
	const [words, ground] = [of["--mantine-color-disabled-color"], of["--mantine-color-disabled"]];
	expect(contrast(colour(words), colour(ground))).toBeGreaterThan(4.5);
});

test.each(["light", "dark"] as const)("the edge of a card is seen in the %s window, on both of its sides", (scheme) => {
	const rim = resolveVariables(DEFAULT_THEME)[scheme]["--rim"] ?? "";
	expect(rim).toMatch(/^#/);
	// The selector must be as specific as that of Mantine.
	const own = /html\[data-mantine-color-scheme\] \.mantine-Paper-root \{\s*--paper-border-color: var\(--rim\);/;
	expect(readFileSync("src/app/window.css", "utf8")).toMatch(own);
	for (const ground of allGrounds[scheme]) expect(contrast(rim, ground)).toBeGreaterThan(1.5);
});
