import { type HelpTopic, helpTopics } from "@/lib/help";
import { type HelpPages, titleOf } from "./pages";

interface Match {
	topic: HelpTopic;
	title: string;
	/** The first line that holds a word asked for; `null` where only the title does. */
	excerpt: Excerpt | null;
}

/** A word that was asked for, and what stands around it. */
interface Excerpt {
	before: string;
	word: string;
	after: string;
}

/** Of what stands before the word, so much that the word is in the first of two short lines. */
const lead = 24;

/** The pages that hold every word, those with a word in their title first. Accents and case do not matter. */
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
	// Composed, a letter is as long with its accent as without.
	const text = line.normalize("NFC");
	const found = words.map((word) => ({ at: plain(text).indexOf(word), word })).filter(({ at }) => at >= 0);
	const { at, word } = found.reduce((first, one) => (one.at < first.at ? one : first));
	const begin = at > lead ? text.indexOf(" ", at - lead) + 1 : 0;
	// A word that is longer than that stands whole.
	const from = begin > at ? at : begin;
	return {
		before: `${from > 0 ? "… " : ""}${text.slice(from, at)}`,
		word: text.slice(at, at + word.length),
		after: text.slice(at + word.length),
	};
}

/** The lines that are sentences: no headings, no pictures, and without the signs of Markdown. */
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
