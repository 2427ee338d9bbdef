import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { words as first } from "./en";
import { words as later } from "./en/later";

/** Returns the file of an import; `null` for a package. */
function imported(from: string, name: string): string | null {
	const path = name.startsWith("@/")
		? join("src", name.slice(2))
		: name.startsWith(".")
			? join(dirname(from), name)
			: null;
	const files = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"].map((ending) => `${path}${ending}`);
	return (path && files.find((file) => existsSync(file) && statSync(file).isFile())) ?? null;
}

/** Returns every source file that the window loads at start, including this one. */
function loadedWith(file: string, known = new Map<string, string>()): Map<string, string> {
	if (known.has(file) || !/\.tsx?$/.test(file)) return known;
	const source = readFileSync(file, "utf8");
	known.set(file, source);
	for (const [, name = ""] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gm)) {
		const next = imported(file, name);
		if (next) loadedWith(next, known);
	}
	return known;
}

test("what a start loads has its texts from the beginning", () => {
	const sources = loadedWith("src/main.tsx");
	expect(sources.size).toBeGreaterThan(80);
	const missing = [...sources].flatMap(([file, source]) => {
		const hooks = [...source.matchAll(/useTranslation\(([^)]*)\)/g)].flatMap(
			([, names = ""]) => names.match(/\w+/g) ?? [],
		);
		const keys = [...source.matchAll(/["`](\w+):[\w$.{]+|\bns: "(\w+)"/g)].map(
			([, before, given]) => before ?? given ?? "",
		);
		return [...hooks, ...keys].filter((name) => name in later).map((name) => `${file}: ${name}`);
	});
	expect(missing).toEqual([]);
});

test("every language has the same texts from the beginning", async () => {
	for (const { words } of [await import("./de"), await import("./es")]) {
		expect(Object.keys(words).sort()).toEqual(Object.keys(first).sort());
	}
	for (const { words } of [await import("./de/later"), await import("./es/later")]) {
		expect(Object.keys(words).sort()).toEqual(Object.keys(later).sort());
	}
});
