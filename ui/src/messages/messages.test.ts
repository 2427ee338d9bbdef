import { words as first } from "./en";
import { words as later } from "./en/later";
import { i18n, speak } from "./i18n";

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

test("a Spanish time at the end of a sentence has one period, with its blank and without", async () => {
	await speak("es");
	const sentence = (at: string) => i18n.t("deactivateWebhooks:asOn", { at, server: "gisapp01" });
	expect(sentence("8:39 p.m.")).toContain("8:39 p.m. Antes");
	expect(sentence("8:39\u00a0a.\u00a0m.")).toContain("8:39\u00a0a.\u00a0m. Antes");
	expect(sentence("20:39")).toContain("20:39. Antes");
});

test("effects of an import are listed in one sentence, so each begins with its number, in any language", () => {
	const files = Object.entries(all).filter(([path]) => path.endsWith("/changes.json"));
	expect(files).toHaveLength(3);
	for (const [path, words] of files) {
		const { effect, counted } = (words as typeof english.changes).headline;
		const begins = (texts: object, by: string) => Object.values(texts).every((text: string) => text.startsWith(by));
		expect([begins(effect, "{{what}} "), begins(counted, "{{count}} ")], path).toEqual([true, true]);
	}
});

test("no ellipsis stands beside another mark, in any language", () => {
	// A label that ends in "…" is not followed by a period. In quotation marks, the punctuation is outside.
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
