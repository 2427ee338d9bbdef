import type { HelpTopic } from "@/lib/help";
import { search } from "./contents";

function excerpt(line: string, asked: string) {
	const pages = new Map<HelpTopic, string>([["start", `# Getting started\n\n${line}\n`]]);
	const found = search(pages, asked)[0]?.excerpt;
	return found ? [found.before, found.word, found.after] : null;
}

test("an excerpt begins near the word, and tells it from what stands around it", () => {
	expect(excerpt("A token expires.", "TOKEN")).toEqual(["A ", "token", " expires."]);
	expect(excerpt("The top bar has the color of the site and the time until the token expires.", "token")).toEqual([
		"… and the time until the ",
		"token",
		" expires.",
	]);
	expect(excerpt("Speichern Sie im Schlüsselbund.", "schlusselbund")?.[1]).toBe("Schlüsselbund");
});

test("an excerpt has no signs of a list or a table", () => {
	expect(excerpt("   - **Existing token**: paste it.", "token")).toEqual(["Existing ", "token", ": paste it."]);
	expect(excerpt("1. Select *Find site*.", "find")).toEqual(["Select ", "Find", " site."]);
	expect(excerpt("| What | Where |\n|---|---|\n| Tokens | In the keyring |", "keyring")).toEqual([
		"Tokens: In the ",
		"keyring",
		"",
	]);
});
