const regions: Record<string, string> = { en: "US", de: "DE", es: "ES" };

/** The catalogue says which language; the system says which of its regions, and with it how numbers look. */
export function localeFor(language: string): string {
	return navigator.languages.find((wanted) => wanted.split("-")[0] === language) ?? usual(language);
}

/**
 * For dates: in the language of the catalogue, and as in the region of the system, whatever is spoken there. English in
 * Germany has 24 hours, the day before the month, and weeks that begin on Monday.
 */
export function localeOfDates(language: string): string {
	const wanted = navigator.languages.filter((tag) => regionOf(tag));
	const own = wanted.find((tag) => tag.split("-")[0] === language) ?? wanted[0];
	return own ? `${language}-${regionOf(own)}` : usual(language);
}

function regionOf(tag: string): string | undefined {
	return tag.split("-").find((part) => /^([A-Z]{2}|\d{3})$/.test(part));
}

function usual(language: string): string {
	return regions[language] ? `${language}-${regions[language]}` : language;
}
