import { createInstance, type FormatterModule, type PostProcessorModule } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Catalogue } from "./catalogue";
import { words as first } from "./en";
import { isolated } from "./isolated";
import { localeFor } from "./locale";

export const languages = ["en", "de", "es"] as const;
export type Language = (typeof languages)[number];

interface Texts {
	/** What the first screen may show. English stands in for gaps, and every start carries it. */
	first: () => Promise<{ words: Catalogue }>;
	later: () => Promise<{ words: Catalogue }>;
}

const catalogues: Record<Language, Texts> = {
	en: { first: async () => ({ words: first }), later: () => import("./en/later") },
	de: { first: () => import("./de"), later: () => import("./de/later") },
	es: { first: () => import("./es"), later: () => import("./es/later") },
};

export const i18n = createInstance();

i18n.on("languageChanged", (language) => {
	document.documentElement.lang = language;
});

/**
 * Numbers are written as the language writes them. What only looks like a number is handed over as text, and a text may be
 * from a site.
 */
const values: FormatterModule = {
	type: "formatter",
	init: () => {},
	add: () => {},
	addCached: () => {},
	format: (value, _format, language = "en") => {
		if (typeof value === "number") return new Intl.NumberFormat(localeFor(language)).format(value);
		return typeof value === "string" ? isolated(value) : value;
	},
};

/** "A las 8:39 p.m." needs no second period: a Spanish time that ends a sentence has its own. */
const periods: PostProcessorModule = {
	type: "postProcessor",
	name: "periods",
	process: (text) => text.replace(/(?<=\b[ap]\.[\s\u00a0\u202f]?m\.)\.(?!\.)/g, ""),
};

void i18n
	.use(initReactI18next)
	.use(values)
	.use(periods)
	.init({
		lng: "en",
		fallbackLng: "en",
		ns: Object.keys(first),
		defaultNS: "common",
		resources: { en: { ...first } },
		initAsync: false,
		returnNull: false,
		postProcess: [periods.name],
		// React escapes what it renders.
		interpolation: {
			escapeValue: false,
			alwaysFormat: true,
		},
		react: { useSuspense: false },
	});

let wanted: Language = "en";
let areAllWanted = false;

async function load(language: Language): Promise<void> {
	const { first, later } = catalogues[language];
	for (const { words } of await Promise.all(areAllWanted ? [first(), later()] : [first()])) {
		for (const [namespace, texts] of Object.entries(words)) i18n.addResourceBundle(language, namespace, texts);
	}
}

/** Turns all texts to a language, which is loaded when it is asked for the first time. */
export async function speak(language: Language): Promise<void> {
	wanted = language;
	await load(language);
	// Whoever changes their mind while a language is loading gets the last one.
	if (wanted === language && i18n.language !== language) await i18n.changeLanguage(language);
}

/** Loads the texts that the first screen does not show, and from now on those of every language that is spoken. */
export async function loadAllTexts(): Promise<void> {
	areAllWanted = true;
	await Promise.all([load("en"), load(wanted)]);
}
