import { readFileSync } from "node:fs";
import { lexer, walkTokens } from "marked";
import { operations } from "@/bridge";
import { loadPages } from "@/features/help/contents";
import { type Catalogue, catalogue } from "./catalogue";
import { i18n, type Language, languages, speak } from "./i18n";

/**
 * Words that the glossary in `src-tauri/docs/words.md` replaces. Words with another, correct meaning are missing
 * here: see the column "not" there.
 */
const banned: Record<Language, RegExp[]> = {
	en: [
		/silenc|\bsilent|fall silent|\bfell silent/,
		/parachute|ways? back/,
		/\bledger/,
		/\blaps?\b/,
		/mishap|\barmed\b|befall/,
		/contact sheet/,
		/\bevidence/,
		/\btick(s|ed|ing)?\b/,
		/somebody|whoever|nobody|\bwhom\b/,
		/\b(came|comes|became) of\b|find out/,
		/in hand\b/,
		/worked with/,
		/\bplease\b|successfully|\bsimply\b|!|n't\b/,
		/this program|the program\b/,
		/e-mail|\w(?:isation|ised|ising|olour)\b|licence|adaptor's own|web adapter/,
		/stored upload|data items?\b|deal(t|s)? with|\bsettle[sd]?\b/,
		/examines?\b|\bdoctor\b|\bflavou?rs?\b/,
		/super user|main server|stand alone\b/,
		/(runs?|ran) out\b|token (ends|ended)|token outlook/,
		/\bgreyed|\bdock\b|\bvault\b|workbench|briefing/,
		/lost answer|answer (was|is) lost|no answer (came|comes)|answers? broke off/,
		/\brefus(e|es|ed|ing|al)\b/,
		/direct address|public address|own address/,
		/enterprise portal|online organization/,
		/refresh (the|this) lists?\b/,
	],
	de: [
		/collaboration/,
		/\banfragen?\b/,
		/\brechners?\b|\brechnern\b/,
		/\bstumm|verstumm/,
		/nutzdaten/,
		/\bpannen?\b/,
		/bestell/,
		/vorgemerkt/,
		/nachweis/,
		/rundgang/,
		/fallschirm|rückweg/,
		/kontaktliste/,
		/data-items?/,
		/[!]|\bbitte\b|\bleider\b|erfolgreich (gespeichert|exportiert|importiert|aktualisiert|gesendet)/,
		/dieses programms?\b|das programm\b|des programms\b|dem programm\b/,
		/\bjemand|irgendwer|\bniemand/,
		/geht verloren\. die antwort|antwort ging verloren/,
		/gespeicherter? upload/,
		/herausfinden|was daraus wurde|was aus/,
		/\blisten? (der services )?aktualisieren|aktualisieren sie die liste/,
		/reaktivier/,
		/\babhaken|\babgehakt|ankreuzen/,
		/\p{L} ?…/u,
	],
	es: [
		/peticion|petición/,
		/máquina/,
		/silenci/,
		/percance/,
		/\bencarg(ar|ue|a|ado|ada|ados|adas)\b/,
		/evidencia/,
		/recorrido/,
		/paracaídas/,
		/hoja de contactos/,
		/[¡!]|por favor|lo sentimos|con éxito|exitosamente/,
		/este programa|el programa\b|del programa\b|al programa\b/,
		/\balguien|\bnadie/,
		/averigu/,
		/reactiv/,
		/actuali(zar|ce) la lista/,
		/carga almacenada/,
		/respuesta se perdió|perdió la respuesta/,
		/\bapps?\b/,
	],
};

/** Form of a command: verb and object. In German, the verb comes last. */
const command: Record<Language, RegExp> = {
	en: /^(add|change|deactivate|delete|discard|edit|find|lock|reactivate|remove|set|sign|trust|unlock|validate) /i,
	de: /^[^,]+ \p{Ll}+n$/u,
	es: /^\p{L}+(ar|er|ir) /u,
};

/** Fixed names, and the claim of the audit trail, whose wording is fixed. */
const names = /https?:\/\/\S+|`[^`]*`|Tamper-evident to whoever keeps a head elsewhere/g;

function faults(language: Language, text: string): string[] {
	const plain = text
		.replace(names, "")
		.replace(/\{\{[^}]+\}\}/g, "")
		.toLowerCase();
	return banned[language].flatMap((word) => word.exec(plain)?.[0] ?? []);
}

const files = import.meta.glob<object>("./{en,de,es}/**/*.json", { eager: true, import: "default" });

function textsOf(language: Language): Catalogue {
	const own = Object.entries(files).filter(([path]) => path.startsWith(`./${language}/`));
	return catalogue(Object.fromEntries(own));
}

function flat(part: object, prefix = ""): [key: string, text: string][] {
	return Object.entries(part).flatMap(([key, value]): [string, string][] =>
		typeof value === "string" ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
	);
}

/** Returns the texts of a page, including those in its pictures. */
function paragraphs(page: string): string[] {
	const found: string[] = [];
	walkTokens(lexer(page), (token) => {
		if ("text" in token && !("tokens" in token && token.tokens)) found.push(token.text);
	});
	return found;
}

const glossary = readFileSync("../src-tauri/docs/words.md", "utf8");
const readme = readFileSync("../README.md", "utf8");

describe.each(languages)("in %s", (language) => {
	test("the glossary lists the name of every operation, and the README those in English", async () => {
		await speak(language);
		const names = operations.map(({ key }) => i18n.getFixedT(language, "common")(`operation.${key}.name`));
		expect(glossary).toContain(`| ${names.join(", ")} |`);
		if (language === "en") for (const name of names) expect(readme).toContain(`| ${name} |`);
	});

	test("every action of the history is a noun, as operations are", () => {
		const actions = flat(textsOf(language)).filter(([key]) => key.startsWith("common.historyAction."));
		expect(actions.length).toBeGreaterThan(10);
		expect(actions.filter(([, text]) => command[language].test(text))).toEqual([]);
	});

	test("no text uses a word that the glossary replaces", () => {
		const found = flat(textsOf(language)).flatMap(([key, text]) =>
			faults(language, text).map((word) => `${key}: "${word}" in: ${text}`),
		);
		expect(found).toEqual([]);
	});

	test("no help page does", async () => {
		const pages = [...(await loadPages(language))];
		const found = pages.flatMap(([topic, page]) =>
			paragraphs(page).flatMap((text) => faults(language, text).map((word) => `${topic}: "${word}" in: ${text}`)),
		);
		expect(found).toEqual([]);
	});
});

/** Fingerprints are compared, so this text may use the word. */
const compared = /^problems\.certificate\.do/;

test.each<[Language, RegExp]>([
	["de", /verifizier/i],
	["es", /verific|verifiq/i],
])("in %s, what is verified has one word, and what is only checked has another", (language, word) => {
	const english = new Map(flat(textsOf("en")));
	const mixed = flat(textsOf(language)).filter(([key, text]) => {
		const original = english.get(key) ?? english.get(key.replace(/_many$/, "_other")) ?? "";
		return !compared.test(key) && /verif/i.test(original) !== word.test(text);
	});
	expect(mixed).toEqual([]);
});

test.each<[Language, string]>([
	["en", "Silenced from here"],
	["en", "The site refused"],
	["de", "Die nächste Anfrage an eine Site"],
	["es", "La próxima petición"],
])("in %s, %s is found", (language, text) => {
	expect(faults(language, text)).not.toEqual([]);
});
