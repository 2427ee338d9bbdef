import { lexer, type Token, type Tokens, walkTokens } from "marked";
import type { Problem } from "@/bridge";
import { helpTopics, problemKinds, topicOfOperation } from "@/lib/help";
import { i18n, type Language, languages, speak } from "@/messages/i18n";
import { isShown } from "@/test/window-texts";
import { loadPages, titleOf } from "./contents";

const topics: string[] = Object.values(helpTopics).flat();

function tokensOf(text: string): Token[] {
	const found: Token[] = [];
	walkTokens(lexer(text), (token) => void found.push(token));
	return found;
}

/**
 * Returns the structure of a page, which is the same in every language: headings, tables, lists, links.
 */
function shape(text: string): string[] {
	return tokensOf(text)
		.filter(({ type }) => !["text", "paragraph", "space", "strong", "em", "codespan", "escape"].includes(type))
		.map((token) => {
			if (token.type === "link") return token.href as string;
			return token.type;
		});
}

test("every kind of problem has a section, in the order of the kinds", async () => {
	expectTypeOf<Problem["kind"]>().toEqualTypeOf<(typeof problemKinds)[number]>();
	const sections = ((await loadPages("en")).get("problems") ?? "").match(/^## .*$/gm) ?? [];
	expect(sections).toHaveLength(problemKinds.length);
	expect(sections[problemKinds.indexOf("rejected")]).toBe("## The site rejected the request");
	expect(sections[problemKinds.indexOf("importFailed")]).toBe("## The import failed");
});

/**
 * Returns the index of all pages for the repository. `npx vitest run src/features/help/pages.test.ts -u` updates it.
 */
async function guide(): Promise<string> {
	const lists = await Promise.all(languages.map(listOf));
	return `# User guide

The help pages of Site Steward, by task, in English, German, and Spanish. In the app, press F1 to open the page about the
current task. To deploy the app to many computers, read [Administration](administration.md).

${lists.join("\n")}`;
}

async function listOf(language: Language): Promise<string> {
	const pages = await loadPages(language);
	const name = i18n.getFixedT("en", "common")(`settings.languages.${language}`);
	const groups = Object.entries(helpTopics).map(([group, members]) => {
		const title = i18n.getFixedT(language, "help")(`group.${group as keyof typeof helpTopics}`);
		return `### ${title}\n\n${members.map((topic) => lineOf(language, topic, pages.get(topic) ?? "")).join("\n")}\n`;
	});
	return `## ${name}\n\n${groups.join("\n")}`;
}

function lineOf(language: Language, topic: string, text: string): string {
	const paragraph = lexer(text).find(({ type }) => type === "paragraph") as Tokens.Paragraph;
	const summary =
		/^.+?[.:](?=\s|$)/.exec(paragraph.text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1"))?.[0] ?? paragraph.text;
	return `- [${titleOf(text)}](../../ui/src/features/help/pages/${language}/${topic}.md): ${summary.replace(/:$/, ".")}`;
}

test("the guide lists every page under its title, with what it is about", async () => {
	for (const language of languages) await speak(language);
	await speak("en");
	await expect(await guide()).toMatchFileSnapshot("../../../../src-tauri/docs/user-guide.md");
});

/** Returns the labels of the window that a page quotes, which are in italics. */
function named(page: string): string[] {
	return tokensOf(page)
		.filter((token): token is Tokens.Em => token.type === "em")
		.map(({ text }) => text);
}

/** Texts of sites, which are not translated. */
const saidBySites = ["Unable to write to the location", "Parcels/Zoning"];

describe.each(languages)("in %s", (language) => {
	test("what a page names in the window has that name there", async () => {
		const shown = isShown(language);
		const unknown = [...(await loadPages(language))].flatMap(([topic, page]) =>
			named(page)
				.filter((name) => !saidBySites.includes(name) && !shown(name))
				.map((name) => `${topic}: ${name}`),
		);
		expect(unknown).toEqual([]);
	});

	test("there is one page for each topic, with a title and a text, and none beside them", async () => {
		const pages = await loadPages(language);
		expect([...pages.keys()].sort()).toEqual([...topics].sort());
		for (const text of pages.values()) {
			expect(titleOf(text)).not.toBe("");
			expect(text.length).toBeGreaterThan(200);
		}
	});

	test("links lead to pages, and nothing in a page is markup or comes from elsewhere", async () => {
		for (const [topic, text] of await loadPages(language)) {
			for (const token of tokensOf(text)) {
				expect(["html", "image", "def"], topic).not.toContain(token.type);
				if (token.type !== "link") continue;
				const [page, problem] = String(token.href).split(/\.md#?/);
				expect(topics, topic).toContain(page);
				if (problem) expect(problemKinds, topic).toContain(problem);
			}
		}
	});

	test("pages are built as the English ones are", async () => {
		const [english, pages] = await Promise.all([loadPages("en"), loadPages(language)]);
		for (const topic of topics) expect(shape(pages.get(topic) ?? ""), topic).toEqual(shape(english.get(topic) ?? ""));
	});

	test("no page shouts or apologises", async () => {
		for (const [topic, text] of await loadPages(language)) {
			const said = text.replace(/```[\s\S]*?```/g, "");
			expect(said, topic).not.toMatch(/[!¡]|\b(sorry|please|leider|bitte|lo sentimos|por favor)\b/i);
		}
	});
});

test("an operation's page is called after it", () => {
	expect(topicOfOperation("export_portal")).toBe("export-portal");
	expect(helpTopics.operations).toContain(topicOfOperation("deactivate_webhooks"));
});
