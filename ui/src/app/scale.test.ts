import { readFileSync } from "node:fs";
import { theme } from "./theme";

const sources = Object.keys(import.meta.glob(["/src/**/*.tsx", "!/src/**/*.test.tsx"])).map(
	(file) => [file, readFileSync(`.${file}`, "utf8")] as const,
);
const sheets = Object.keys(import.meta.glob("/src/**/*.css")).map(
	(file) => [file, readFileSync(`.${file}`, "utf8")] as const,
);

/** Returns matches with their file, for example `src/app/shell.tsx: size="md"`. */
function found(files: readonly (readonly [string, string])[], what: RegExp): string[] {
	return files.flatMap(([file, text]) => [...text.matchAll(what)].map(([all]) => `${file}: ${all}`));
}

/** Returns the attributes of all elements with these names, without values in braces. */
function attributesOf(parts: string): (readonly [string, string])[] {
	const opening = new RegExp(`<(?:${parts})(?=\\s)((?:[^{}>]|\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*\\})*\\})*\\})*)>`, "g");
	return sources.map(([file, text]) => {
		const attributes = [...text.matchAll(opening)].map(([, within = ""]) =>
			within.replaceAll(/=\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, (value) =>
				/^=\{\w+\}$/.test(value) ? value : "",
			),
		);
		return [file, attributes.join("\n")] as const;
	});
}

test("text has one of four sizes and one of two weights", () => {
	expect(new Set(Object.values(theme.fontSizes ?? {}))).toEqual(new Set(["0.75rem", "0.8125rem", "1rem"]));
	const titles = Object.values(theme.headings?.sizes ?? {}).map((size) => size?.fontSize);
	expect(new Set(titles)).toEqual(new Set(["1.25rem", "1rem", "0.8125rem", "0.75rem"]));
	expect(new Set(Object.values(theme.fontWeights ?? {}))).toEqual(new Set(["400", "600"]));
	const texts = attributesOf("Text|Title|Anchor|Badge|Code|Kbd|List|Lines|Chip|Small|Heading|LinkButton");
	expect(found(texts, /\bsize="/g).length).toBeGreaterThan(50);
	expect(found(texts, /\bsize="(?!(?:xs|sm|lg|h2|h3|h5|inherit)")[^"]*"/g)).toEqual([]);
	expect(found(sources, /\bfz=(?!"(?:xs|sm|lg|inherit)").{1,12}/g)).toEqual([]);
	expect(found(sources, /\bfw=(?!\{(?:400|600)\}|"inherit"|\{[^}]* \? (?:400|600) : (?:400|600)\}).{1,12}/g)).toEqual(
		[],
	);
	const size = /font-size: (?!var\(--mantine-font-size-(?:xs|sm|lg)\)|inherit).*/g;
	// Printed pages have a scale of their own, and pictures are scaled as a whole.
	const screens = sheets.filter(([file]) => !/printed-|\/pictures\//.test(file));
	expect(found(screens, size)).toEqual([]);
	expect(found(sheets, /font-weight: (?!400|600|inherit).*/g)).toEqual([]);
});

test("one rule breaks what has no spaces", () => {
	expect(found(sources, /overflowWrap: "anywhere"/g)).toEqual([]);
	expect(found(sources, /\bmod="anywhere"/g).length).toBeGreaterThan(100);
	expect(sheets.find(([file]) => file.endsWith("/window.css"))?.[1]).toMatch(
		/\n\[data-anywhere\] \{\s*overflow-wrap: anywhere;/,
	);
});

test("gaps are of three sizes, besides those between the lines of one text", () => {
	expect(new Set(Object.values(theme.spacing ?? {}))).toEqual(new Set(["0.5rem", "0.75rem", "1.25rem"]));
	expect(found(sources, /\b(?:gap|spacing|verticalSpacing)=\{(?!(?:0|2|4)\})\d+\}/g)).toEqual([]);
	expect(found(sources, /\bgap="[^"]*?(?<!\d)(?!(?:2|4)px|0\b)\d[^"]*"/g)).toEqual([]);
	expect(found(sheets, /\bgap: [^;]*?(?<!\d)(?!(?:2|4)px|0\b)\d.*/g)).toEqual([]);
	expect(found(sheets, /\bgap: var\(--mantine-spacing-/g).length).toBeGreaterThan(10);
});

test("icons are of three sizes, besides the picture of a page", () => {
	expect(found(sources, /<Icon\w*\s[^<>]*?\bsize=\{(?!(?:14|16|18|40|44)\})\d+\}/g)).toEqual([]);
});

test("no line is lower than the letters of usual fonts: what is cut at its end would be cut below them as well", () => {
	// Of the usual desktop fonts, Noto Sans has the highest letters: 1.362.
	for (const height of Object.values(theme.lineHeights ?? {})) expect(Number(height)).toBeGreaterThan(1.362);
	const scale = /(?:0[; ]|1\.5;|\d{2}px;|"?var\(--mantine-line-height-|section\.)/.source;
	expect(found(sheets, new RegExp(`line-height: (?!${scale}).*`, "g"))).toEqual([]);
	expect(found(sources, /\blh=(?!"(?:xs|sm|lg)").{1,12}/g)).toEqual([]);
	expect(found(sources, new RegExp(`lineHeight: (?!${scale}).*`, "g"))).toEqual([]);
	expect(theme.components?.Modal?.styles).toMatchObject({ title: { lineHeight: theme.lineHeights?.lg } });
});

test("two lines of a hint are as far apart as other text of their size", () => {
	const hint = /\.mantine-InputWrapper-description \{\s*line-height: var\(--mantine-line-height-xs\);/;
	expect(sheets.find(([file]) => file.endsWith("/window.css"))?.[1]).toMatch(hint);
});

test("no words are written in a tone: it is for signs, edges and the tint below a number", () => {
	expect(found(sheets, /(?<![-\w])color: var\(--tone-.*/g)).toEqual([]);
	expect(found(sources, /<(?:Text|Anchor|Title)\b[^>]*--tone-/g)).toEqual([]);
});

test("no name is written in capitals: ß has none", () => {
	expect(found(sheets, /text-transform: (?!none).*/g)).toEqual([]);
	expect(found(sources, /\btt=.*|textTransform.*/g)).toEqual([]);
	const window = readFileSync("src/app/window.css", "utf8");
	const own = [...window.matchAll(/([^{}]+)\{[^{}]*text-transform: none/g)].map(([, selector = ""]) => selector);
	// Class names of Mantine, and the stable selectors that the style sheets of the window use for them.
	const named = { m_347db0ec: ".mantine-Badge-root", "m_5a3e5f7b::before": ".mantine-Spotlight-actionsGroup::before" };
	const parts = ["core", "dates", "notifications", "spotlight"].map((part) =>
		readFileSync(`node_modules/@mantine/${part}/styles.css`, "utf8"),
	);
	const capitals = parts.flatMap((sheet) => [...sheet.matchAll(/\.(\S+) \{[^{}]*text-transform: uppercase/g)]);
	expect(capitals.map(([, name]) => name)).toEqual(Object.keys(named));
	for (const name of Object.values(named)) expect(own.join()).toContain(`html ${name}`);
});

test("a button is 36 or 30 pixels high", () => {
	const buttons = attributesOf("Button|SubmitButton|CopyButton|StopButton|ChangeButton");
	expect(found(buttons, /\bsize="(?!sm").*?"/g)).toEqual([]);
	expect(found(attributesOf("ActionIcon"), /\bsize=(?!\{36\}).*/g)).toEqual([]);
	expect(found(attributesOf("TextInput|Select|SegmentedControl|NumberInput"), /\bsize="(?!xs").*?"/g)).toEqual([]);
});
