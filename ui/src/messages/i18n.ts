import { createInstance, type FormatterModule } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Catalogue } from "./catalogue";
import common from "./en/common.json";
import doctor from "./en/doctor.json";
import help from "./en/help.json";
import history from "./en/history.json";
import lap from "./en/lap.json";
import mishaps from "./en/mishaps.json";
import deactivateWebhooks from "./en/operations/deactivate-webhooks.json";
import exportPortal from "./en/operations/export-portal.json";
import exportServer from "./en/operations/export-server.json";
import findItems from "./en/operations/find-items.json";
import importServer from "./en/operations/import-server.json";
import refreshInvitation from "./en/operations/refresh-invitation.json";
import run from "./en/operations/run.json";
import updateParticipant from "./en/operations/update-participant.json";
import practice from "./en/practice.json";
import problems from "./en/problems.json";
import sites from "./en/sites.json";
import updates from "./en/updates.json";
import { localeFor } from "./locale";

const operations = {
	exportPortal,
	exportServer,
	importServer,
	deactivateWebhooks,
	findItems,
	updateParticipant,
	refreshInvitation,
};

export const english = {
	common,
	doctor,
	help,
	sites,
	history,
	lap,
	mishaps,
	practice,
	problems,
	run,
	updates,
	...operations,
};

export const languages = ["en", "de", "es"] as const;
export type Language = (typeof languages)[number];

/** What stands behind each language beside English, which every start carries because it stands in for gaps. */
const catalogues: Record<Exclude<Language, "en">, () => Promise<{ words: Catalogue }>> = {
	de: () => import("./de"),
	es: () => import("./es"),
};

export const i18n = createInstance();

i18n.on("languageChanged", (language) => {
	document.documentElement.lang = language;
});

/** Numbers are written as the language writes them. What only looks like a number is handed over as text. */
const numbers: FormatterModule = {
	type: "formatter",
	init: () => {},
	add: () => {},
	addCached: () => {},
	format: (value, _format, language = "en") =>
		typeof value === "number" ? new Intl.NumberFormat(localeFor(language)).format(value) : value,
};

void i18n
	.use(initReactI18next)
	.use(numbers)
	.init({
		lng: "en",
		fallbackLng: "en",
		ns: Object.keys(english),
		defaultNS: "common",
		resources: { en: english },
		initAsync: false,
		returnNull: false,
		// React escapes what it renders.
		interpolation: {
			escapeValue: false,
			alwaysFormat: true,
		},
		react: { useSuspense: false },
	});

let wanted: Language = "en";

/** Turns all texts to a language, which is loaded when it is asked for the first time. */
export async function speak(language: Language): Promise<void> {
	wanted = language;
	if (language !== "en" && !i18n.hasResourceBundle(language, "common")) {
		const { words } = await catalogues[language]();
		for (const [namespace, texts] of Object.entries(words)) i18n.addResourceBundle(language, namespace, texts);
	}
	// Whoever changes their mind while a language is loading gets the last one.
	if (wanted === language && i18n.language !== language) await i18n.changeLanguage(language);
}
