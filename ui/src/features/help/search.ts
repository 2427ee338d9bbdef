import { type HelpTopic, helpTopics } from "@/lib/help";
import { type HelpPages, titleOf } from "./pages";

export interface Match {
	topic: HelpTopic;
	title: string;
	/** The first line that holds a word asked for; `null` where only the title does. */
	line: string | null;
}

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
		const match = { topic, title, line: sentences(text).find(holds) ?? null };
		matches.push(match);
		if (holds(title)) titled.add(match);
	}
	return matches.sort((a, b) => Number(titled.has(b)) - Number(titled.has(a)));
}

/** The lines that are sentences: no headings, no pictures, and without the signs of Markdown. */
function sentences(text: string): string[] {
	return text
		.replace(/```[\s\S]*?```/g, "")
		.split("\n")
		.filter((line) => line && !line.startsWith("#"))
		.map((line) =>
			line
				.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
				.replace(/^(-|\d+\.) |^\| | \|$|[*`]/g, "")
				.replaceAll(" | ", " · "),
		);
}

function plain(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
