import { isShown, windowTexts } from "@/test/window-texts";
import { languages } from "./i18n";

/** Names in files, which are not translated. */
const inFiles = ["Portal", "Portal URL", "Participant ID", "First name", "Last name", "Email address", "CSV UTF-8"];

/** Returns quoted texts without placeholders. */
const quoted = (text: string) => [...text.matchAll(/[“„«]([^“”„«»{}]+)[“”»]/g)].map(([, name]) => name as string);

test.each(languages)("in %s, what a text names in quotation marks has that name in the window", (language) => {
	const shown = isShown(language);
	const unknown = windowTexts(language)
		.flatMap(quoted)
		.filter((name) => !inFiles.includes(name) && !shown(name));
	expect(unknown).toEqual([]);
});
