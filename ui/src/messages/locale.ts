const regions: Record<string, string> = { en: "US", de: "DE", es: "ES" };

/** Returns the locale for numbers: the language of the catalogue with the region of the system. */
export function localeFor(language: string): string {
	return navigator.languages.find((wanted) => wanted.split("-")[0] === language) ?? usual(language);
}

/**
 * Returns the locale for dates: the language of the catalogue with the region of the system, even if another language
 * is spoken there. English in Germany uses the 24-hour clock, the day before the month, and weeks that start on Monday.
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
