import { createInstance, type FormatterModule, type PostProcessorModule } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Catalogue } from "./catalogue";
import { words as first } from "./en";
import { isolated } from "./isolated";
import { localeFor } from "./locale";

export const languages = ["en", "de", "es"] as const;
export type Language = (typeof languages)[number];

interface Texts {
	/** Texts of the first screen. English is part of every start, because it replaces missing translations. */
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
 * Formats numbers as the language writes them. Numbers that must stay unchanged are passed as strings. Strings are
 * isolated, because they can come from a site.
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

/** Removes a second period: a Spanish sentence that ends with a time already has one ("A las 8:39 p.m."). */
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
		// React escapes rendered text.
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

/** Switches all texts to a language, which is loaded on first use. */
export async function speak(language: Language): Promise<void> {
	wanted = language;
	await load(language);
	// If the language changes again while one is loading, the last one is used.
	if (wanted === language && i18n.language !== language) await i18n.changeLanguage(language);
}

/** Loads the texts that the first screen does not need, and from then on those of every language that is used. */
export async function loadAllTexts(): Promise<void> {
	areAllWanted = true;
	await Promise.all([load("en"), load(wanted)]);
}
