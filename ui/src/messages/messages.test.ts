import { words as first } from "./en";
import { words as later } from "./en/later";

const english = { ...first, ...later };

function texts(part: object): string[] {
	return Object.values(part).flatMap((value) => (typeof value === "string" ? [value] : texts(value as object)));
}

test("no text shouts or apologises", () => {
	const loud = texts(english).filter((text) => /!|\bsorry\b|\boops\b|\bplease\b/i.test(text));
	expect(loud).toEqual([]);
});

test("no text is empty", () => {
	expect(texts(english).filter((text) => text.trim() === "")).toEqual([]);
});

const all = import.meta.glob<object>("./{en,de,es}/**/*.json", { eager: true, import: "default" });
const help = import.meta.glob<string>("../features/help/pages/*/*.md", {
	eager: true,
	import: "default",
	query: "?raw",
});

test("no ellipsis stands beside another mark, in any language", () => {
	// A label that ends in "…" gets no period, as in "Print.…", and one that is quoted has its own mark outside.
	const odd = (text: string) => /[.:;!?]\s*…|…\s*[.,:;!?]/u.test(text);
	expect(Object.keys(all).length).toBeGreaterThan(60);
	expect(Object.values(all).flatMap(texts).filter(odd)).toEqual([]);
	expect(Object.keys(help).length).toBeGreaterThan(100);
	expect(
		Object.entries(help)
			.filter(([, text]) => odd(text))
			.map(([path]) => path),
	).toEqual([]);
});
