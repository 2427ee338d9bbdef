import { NavLink, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SearchField } from "@/components/path-field";
import { type HelpTopic, helpTopics } from "@/lib/help";
import { useNavigation } from "@/lib/navigation";
import type { Language } from "@/messages/i18n";
import classes from "./contents.module.css";

interface ContentsProps {
	pages: HelpPages;
	topic: HelpTopic;
}

type Group = keyof typeof helpTopics;

/** Help pages in their order, or those that match the search. */
export function Contents({ pages, topic }: ContentsProps) {
	const { t } = useTranslation("help");
	const [asked, setAsked] = useState("");
	return (
		<Stack gap="sm">
			<SearchField label={t("search")} value={asked} onChange={setAsked} />
			{asked.trim() ? <Found pages={pages} topic={topic} asked={asked} /> : <Groups pages={pages} topic={topic} />}
		</Stack>
	);
}

function Groups({ pages, topic }: ContentsProps) {
	const { t } = useTranslation("help");
	const { go } = useNavigation();
	const groups = Object.keys(helpTopics) as Group[];
	const here = groups.find((group) => topicsOf(group).includes(topic)) ?? "start";
	const [toggled, setToggled] = useState<Partial<Record<Group, boolean>>>({});
	return (
		<nav aria-label={t("contents")}>
			{groups.map((group) => (
				<NavLink
					key={group}
					component="button"
					label={t(`group.${group}`)}
					opened={toggled[group] ?? group === here}
					onChange={(opened) => setToggled({ ...toggled, [group]: opened })}
				>
					{topicsOf(group).map((one) => (
						<NavLink
							key={one}
							component="button"
							label={titleOf(pages.get(one) ?? "")}
							active={one === topic}
							aria-current={one === topic ? "page" : undefined}
							onClick={() => go({ page: "help", topic: one })}
						/>
					))}
				</NavLink>
			))}
		</nav>
	);
}

function Found({ pages, topic, asked }: ContentsProps & { asked: string }) {
	const { t } = useTranslation("help");
	const { go } = useNavigation();
	const matches = search(pages, asked);
	return (
		<>
			<Text c="dimmed" role="status">
				{t("found", { count: matches.length })}
			</Text>
			<nav aria-label={t("results")}>
				{matches.map((match) => (
					<NavLink
						key={match.topic}
						component="button"
						label={match.title}
						description={
							match.excerpt ? (
								<Text span inherit lineClamp={2}>
									{match.excerpt.before}
									<mark className={classes.found}>{match.excerpt.word}</mark>
									{match.excerpt.after}
								</Text>
							) : null
						}
						active={match.topic === topic}
						onClick={() => go({ page: "help", topic: match.topic })}
					/>
				))}
			</nav>
		</>
	);
}

function topicsOf(group: Group): readonly HelpTopic[] {
	return helpTopics[group];
}

interface Match {
	topic: HelpTopic;
	title: string;
	/** First line that contains a word of the search; `null` if only headings or diagrams do. */
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

/** Help pages of one language as Markdown, by topic. */
type HelpPages = ReadonlyMap<string, string>;

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
