import type { Language } from "@/messages/i18n";

/** Help pages of one language as Markdown, by topic. */
export type HelpPages = ReadonlyMap<string, string>;

type Files = Record<string, string>;

const languages: Record<Language, () => Promise<{ files: Files }>> = {
	en: () => import("./pages/en"),
	de: () => import("./pages/de"),
	es: () => import("./pages/es"),
};

/** Loads all pages of a language at once, because the search needs them all. */
export async function loadPages(language: Language): Promise<HelpPages> {
	const { files } = await languages[language]();
	return new Map(Object.entries(files).map(([path, text]) => [path.slice("./".length, -".md".length), text]));
}

export function titleOf(text: string): string {
	return /^# (.+)$/m.exec(text)?.[1] ?? "";
}
