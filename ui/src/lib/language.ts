import { type Language, languages } from "@/messages/i18n";

/** Returns the language of the desktop, or English if the app does not support it. */
export function systemLanguage(wanted: readonly string[] = navigator.languages): Language {
	const spoken = wanted.map((tag) => tag.split("-")[0]);
	return spoken.map((name) => languages.find((language) => language === name)).find(Boolean) ?? "en";
}

export function spokenLanguage(preferred: Language | "system"): Language {
	return preferred === "system" ? systemLanguage() : preferred;
}
