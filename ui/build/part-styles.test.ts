import { readdirSync, readFileSync } from "node:fs";
import { classNames, styleOf } from "./part-styles";

const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`);

/** The classes that have a rule somewhere. */
const inSheet = (file: string) => new Set(readFileSync(file, "utf8").match(/m_[0-9a-f]+/g));

test("the style that comes with a part has the rules for all of its classes", () => {
	const all = inSheet("node_modules/@mantine/core/styles.layer.css");
	const modules = filesIn("node_modules/@mantine/core/esm").filter((file) => classNames.test(file));
	expect(modules.length).toBeGreaterThan(80);
	for (const module of modules) {
		const own = inSheet(`node_modules/${styleOf(module)}`);
		const missing = [...inSheet(module)].filter((name) => all.has(name) && !own.has(name));
		expect(missing, module).toEqual([]);
	}
});

test("a part without a style ends the build", () => {
	const module = "/ui/node_modules/@mantine/core/esm/components/Novelty/Novelty.module.mjs";
	expect(module).toMatch(classNames);
	expect(() => styleOf(module)).toThrow("has no style sheet");
});

test("no page imports the style sheet of all parts", () => {
	const sources = filesIn("src").filter((file) => /\.(tsx?|css)$/.test(file));
	expect(sources.length).toBeGreaterThan(200);
	const whole = sources.filter((file) => /["']@mantine\/core\/styles(\.layer)?\.css/.test(readFileSync(file, "utf8")));
	expect(whole).toEqual([]);
});

test("whoever uses the parts of another package of Mantine brings its style", () => {
	const used = /import \{([^}]*)\} from "(@mantine\/(?:dates|notifications|spotlight))"/g;
	const missing = filesIn("src")
		.filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"))
		.flatMap((file) => {
			const source = readFileSync(file, "utf8");
			return [...source.matchAll(used)]
				.filter(([, names = ""]) => names.split(",").some((name) => /^\s*[A-Z](?!\w*Provider)/.test(name)))
				.filter(([, , of]) => !source.includes(`import "${of}/styles.layer.css"`))
				.map(() => file);
		});
	expect(missing).toEqual([]);
});
