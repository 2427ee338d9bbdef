// What the window fetches before its first screen must stay small: a start waits for it.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** Bytes of compressed script. The English texts, which every start carries as well, are counted for themselves. */
const most = 250_000;

const dist = new URL("dist/", import.meta.url);
const page = readFileSync(new URL("index.html", dist), "utf8");
const files = [...new Set(page.match(/assets\/[\w-]+\.js/g))];
const size = (names) =>
	names.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length, 0);
const isTexts = (name) => name.startsWith("assets/texts-");
const [script, texts] = [size(files.filter((name) => !isTexts(name))), size(files.filter(isTexts))];
console.log(`${files.length} files before the first screen: ${script} bytes of script, ${texts} of texts`);
if (files.length === 0 || script > most) {
	console.error(
		`The script must not have more than ${most} bytes. Load with \`whenShown\` what the first screen does not show.`,
	);
	process.exit(1);
}

// The script that shows the shell would wait for a style sheet before it.
const [shell, style] = ["window_has_content", 'rel="stylesheet"'].map((words) => page.indexOf(words));
if (shell < 0 || style < shell) {
	console.error("The style sheet must come after the script of the shell: see build/theme-styles.ts.");
	process.exit(1);
}

// Sheets that are loaded later stand before the one of the start, and must win all the same.
const sheet = readFileSync(new URL(/assets\/[\w-]+\.css/.exec(page)?.[0] ?? "", dist), "utf8");
// What the window says of all parts stays in the layer itself.
const layers = [...sheet.matchAll(/@layer (mantine[\w.-]*)\s*\{(\w*)/g)].map(([, layer, first]) => `${layer} ${first}`);
if (
	!layers.some((one) => one.startsWith("mantine.start")) ||
	!layers.includes("mantine html") ||
	layers.some((one) => /^mantine (?!html)|mantine-window/.test(one))
) {
	console.error(
		`The styles of the parts at the start must be in the layer mantine.start, and those of the window in mantine: see build/theme-styles.ts. Found: ${layers}`,
	);
	process.exit(1);
}
