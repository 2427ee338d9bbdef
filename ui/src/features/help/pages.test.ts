import { readFileSync } from "node:fs";
import { lexer, type Token, type Tokens, walkTokens } from "marked";
import type { Problem } from "@/bridge";
import { helpTopics, type problemKinds, topicOfOperation } from "@/lib/help";
import { languages } from "@/messages/i18n";
import { loadPages, titleOf } from "./pages";
import { readScreen } from "./pictures/screen";
import { readSequence } from "./pictures/sequence";

const topics: string[] = Object.values(helpTopics).flat();

function tokensOf(text: string): Token[] {
	const found: Token[] = [];
	walkTokens(lexer(text), (token) => void found.push(token));
	return found;
}

const pictures = (text: string) => tokensOf(text).filter((token): token is Tokens.Code => token.type === "code");

/** What must be the same in every language: headings, pictures, tables, lists, links. */
function shape(text: string): string[] {
	return tokensOf(text)
		.filter(({ type }) => !["text", "paragraph", "space", "strong", "em", "codespan", "escape"].includes(type))
		.map((token) => {
			if (token.type === "link") return token.href as string;
			if (token.type === "code") return `${token.lang} ${drawn(token as Tokens.Code).length}`;
			return token.type;
		});
}

const drawn = ({ lang, text }: Tokens.Code) => (lang === "mermaid" ? readSequence(text).steps : readScreen(text));

test("every kind of problem has a page", () => {
	expectTypeOf<Problem["kind"]>().toEqualTypeOf<(typeof problemKinds)[number]>();
	expect(helpTopics.problems).toContain("problem-safety-backup-failed");
});

/** The same pages for whoever reads them in the repository. */
const guide = readFileSync("../src-tauri/docs/user-guide.md", "utf8");

describe.each(languages)("in %s", (language) => {
	test("the guide lists every page under its title", async () => {
		for (const [topic, text] of await loadPages(language)) {
			expect(guide).toContain(`[${titleOf(text)}](../../ui/src/features/help/pages/${language}/${topic}.md)`);
		}
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
				if (token.type === "link") expect(topics, topic).toContain(String(token.href).replace(/\.md$/, ""));
			}
		}
	});

	test("every operation has a picture of its way and one of its form", async () => {
		const pages = await loadPages(language);
		for (const topic of helpTopics.operations) {
			expect(pictures(pages.get(topic) ?? "").map(({ lang }) => lang)).toEqual(["mermaid", "screen"]);
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
