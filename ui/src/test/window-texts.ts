import type { Language } from "@/messages/i18n";

const files = import.meta.glob<object>("../messages/{en,de,es}/**/*.json", { eager: true, import: "default" });

/** Returns all texts of the window in a language. */
export function windowTexts(language: Language): string[] {
	const texts = (part: object): string[] =>
		Object.values(part).flatMap((value) => (typeof value === "string" ? [value] : texts(value)));
	return Object.entries(files).flatMap(([path, file]) => (path.includes(`/${language}/`) ? texts(file) : []));
}

/** Values that the help contains instead of placeholders. */
const filledIn = "(?:\\d+|City GIS|County GIS)";

/** Returns whether the window shows a text, or a sentence of it. */
export function isShown(language: Language): (text: string) => boolean {
	const sentences = (text: string) => [text, ...text.split(/(?<=\.)\s/).map((sentence) => sentence.replace(/\.$/, ""))];
	const patterns = windowTexts(language).flatMap(sentences).map(pattern);
	return (text) => patterns.some((one) => one.test(text));
}

function pattern(text: string): RegExp {
	const parts = text.split(/\{\{[^}]+\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	return new RegExp(`^${parts.join(filledIn)}$`);
}
