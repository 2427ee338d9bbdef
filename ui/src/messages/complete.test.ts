import { type Catalogue, catalogue } from "./catalogue";
import { words as first } from "./en";
import { words as later } from "./en/later";
import { sameEverywhere } from "./same-everywhere";

const plural = /_(zero|one|two|few|many|other)$/;
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*([^},\s]+)[^}]*\}\}/g)].map(([, name]) => name).sort();

/** Returns all texts of a language by their full key. */
function flat(part: object, prefix = ""): Map<string, string> {
	return new Map(
		Object.entries(part).flatMap(([key, value]) =>
			typeof value === "string" ? [[prefix + key, value] as const] : [...flat(value, `${prefix}${key}.`)],
		),
	);
}

const originals = flat({ ...first, ...later });

/** Returns the keys that a language must have: those of English, in the plural forms of the language. */
function wantedKeys(language: string): Set<string> {
	const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
	return new Set(
		[...originals.keys()].flatMap((key) =>
			key.endsWith("_other") ? forms.map((form) => key.replace(plural, `_${form}`)) : key.endsWith("_one") ? [] : [key],
		),
	);
}

/** Returns the English text of a key of another language. */
function original(key: string): string {
	return originals.get(key) ?? originals.get(key.replace(plural, "_other")) ?? "";
}

/** Whether a text has words besides its placeholders. */
const hasWords = (text: string) => /\p{L}/u.test(text.replace(/\{\{[^}]+\}\}/g, ""));

const files: Record<string, Record<string, object>> = {
	de: import.meta.glob<object>("./de/**/*.json", { eager: true, import: "default" }),
	es: import.meta.glob<object>("./es/**/*.json", { eager: true, import: "default" }),
};

describe.each(Object.keys(files))("in %s", (language) => {
	const words: Catalogue = catalogue(files[language] ?? {});
	const texts = flat(words);

	test("every text is there, and none that nobody asks for", () => {
		const wanted = wantedKeys(language);
		expect([...wanted].filter((key) => !texts.has(key)).map((key) => `missing: ${key}: ${original(key)}`)).toEqual([]);
		expect([...texts.keys()].filter((key) => !wanted.has(key)).map((key) => `surplus: ${key}`)).toEqual([]);
	});

	test("every text has the places of the English one", () => {
		// The singular form may omit its number, as in "One service".
		const differs = ([key, text]: [string, string]) => {
			const [own, its] = [placeholders(text), placeholders(original(key))];
			const missing = its.filter((name) => !own.includes(name));
			const countless = plural.test(key) && missing.every((name) => name === "count" || name === "formatted");
			return own.some((name) => !its.includes(name)) || (missing.length > 0 && !countless);
		};
		expect([...texts].filter(differs).map(([key, text]) => `${key}: ${text}`)).toEqual([]);
	});

	test("no text is empty, shouts, apologises, or was left in English", () => {
		const left = [...texts].filter(
			([key, text]) => text === original(key) && hasWords(text) && !sameEverywhere[language]?.has(text),
		);
		expect(left.map(([key, text]) => `${key}: ${text}`)).toEqual([]);
		const loud = /^\s*$|[!¡]|\b(leider|bitte|entschuldig|lo sentimos|por favor|disculpe)\b/i;
		expect([...texts].filter(([, text]) => loud.test(text)).map(([key, text]) => `${key}: ${text}`)).toEqual([]);
	});
});
