import { type Language, languages } from "@/messages/i18n";

/** The language of the desktop, as far as the program speaks it. */
export function systemLanguage(wanted: readonly string[] = navigator.languages): Language {
	const spoken = wanted.map((tag) => tag.split("-")[0]);
	return spoken.map((name) => languages.find((language) => language === name)).find(Boolean) ?? "en";
}

/** The language that a person prefers. */
export function spokenLanguage(preferred: Language | "system"): Language {
	return preferred === "system" ? systemLanguage() : preferred;
}
