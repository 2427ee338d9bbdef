import { createInstance } from "i18next";
import { initReactI18next } from "react-i18next";
import common from "./en/common.json";
import history from "./en/history.json";
import operations from "./en/operations.json";
import practice from "./en/practice.json";
import problems from "./en/problems.json";
import sites from "./en/sites.json";

export const english = { common, sites, history, practice, problems, operations };

export const i18n = createInstance();

void i18n.use(initReactI18next).init({
	lng: "en",
	fallbackLng: "en",
	ns: Object.keys(english),
	defaultNS: "common",
	resources: { en: english },
	initAsync: false,
	returnNull: false,
	// React escapes what it renders.
	interpolation: { escapeValue: false },
	react: { useSuspense: false },
});
