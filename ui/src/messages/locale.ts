const regions: Record<string, string> = { en: "en-US", de: "de-DE", es: "es-ES" };

/** The catalogue says which language; the system says which of its regions, and with it how dates and numbers look. */
export function localeFor(language: string): string {
	return navigator.languages.find((wanted) => wanted.split("-")[0] === language) ?? regions[language] ?? language;
}
