import { readdirSync, readFileSync } from "node:fs";

const here = "lib/queries/";
const files = readdirSync("src", { recursive: true, encoding: "utf8" });
const sources = files
	.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^test\/|bindings/.test(file))
	.map((file) => ({ file: file.replaceAll("\\", "/"), text: readFileSync(`src/${file}`, "utf8") }));

test("a query is defined here alone; a page takes it from here", () => {
	const defining = sources.filter(({ text }) => /\bquery(Key|Fn)\b/.test(text)).map(({ file }) => file);
	expect(defining.filter((file) => !file.startsWith(here))).toEqual([]);
});

test("a command is read by one query", () => {
	const text = sources.flatMap(({ file, text }) => (file.startsWith(here) ? [text] : [])).join("\n");
	const read = [...text.matchAll(/backend\.(\w+)\(/g)].map(([, command]) => command);
	expect(read.filter((command, place) => read.indexOf(command) !== place)).toEqual([]);
});
