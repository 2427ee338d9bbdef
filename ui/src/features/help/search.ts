import { type HelpTopic, helpTopics } from "@/lib/help";
import { type HelpPages, titleOf } from "./pages";

interface Match {
	topic: HelpTopic;
	title: string;
	/** First line that contains a word of the search; `null` if only the title does. */
	excerpt: Excerpt | null;
}

/** Matched word with the text around it. */
interface Excerpt {
	before: string;
	word: string;
	after: string;
}

/** Characters before the word, so that it is on the first of two short lines. */
const lettersBefore = 24;

/** Returns the pages that contain all words, those with a word in the title first. Ignores case and accents. */
export function search(pages: HelpPages, asked: string): Match[] {
	const words = plain(asked).split(/\s+/).filter(Boolean);
	if (words.length === 0) return [];
	const matches: Match[] = [];
	const titled = new Set<Match>();
	for (const topic of Object.values(helpTopics).flat()) {
		const text = pages.get(topic) ?? "";
		const whole = plain(text);
		if (!words.every((word) => whole.includes(word))) continue;
		const title = titleOf(text);
		const holds = (line: string) => words.some((word) => plain(line).includes(word));
		const line = sentences(text).find(holds);
		const match = { topic, title, excerpt: line ? excerptOf(line, words) : null };
		matches.push(match);
		if (holds(title)) titled.add(match);
	}
	return matches.sort((a, b) => Number(titled.has(b)) - Number(titled.has(a)));
}

function excerptOf(line: string, words: readonly string[]): Excerpt {
	// In composed form, accents do not change the length of a text.
	const text = line.normalize("NFC");
	const found = words.map((word) => ({ at: plain(text).indexOf(word), word })).filter(({ at }) => at >= 0);
	const { at, word } = found.reduce((first, one) => (one.at < first.at ? one : first));
	const begin = at > lettersBefore ? text.indexOf(" ", at - lettersBefore) + 1 : 0;
	// A longer word is shown in full.
	const from = begin > at ? at : begin;
	return {
		before: `${from > 0 ? "… " : ""}${text.slice(from, at)}`,
		word: text.slice(at, at + word.length),
		after: text.slice(at + word.length),
	};
}

/** Returns the sentences of a page, without headings, diagrams, and Markdown syntax. */
function sentences(text: string): string[] {
	return text
		.replace(/```[\s\S]*?```/g, "")
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line && !line.startsWith("#") && !/^\|[-:| ]+\|$/.test(line))
		.map((line) =>
			line
				.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
				.replace(/^(-|\d+\.) |^\| | \|$|[*`]/g, "")
				.replace(" | ", ": ")
				.replaceAll(" | ", " · "),
		);
}

function plain(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
