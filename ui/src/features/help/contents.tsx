import { NavLink, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SearchField } from "@/components/search-field";
import { type HelpTopic, helpTopics } from "@/lib/help";
import classes from "./contents.module.css";
import { type HelpPages, titleOf } from "./pages";
import { search } from "./search";

interface ContentsProps {
	pages: HelpPages;
	topic: HelpTopic;
	onTopic: (topic: HelpTopic) => void;
}

type Group = keyof typeof helpTopics;

/** Help pages in their order, or those that match the search. */
export function Contents({ pages, topic, onTopic }: ContentsProps) {
	const { t } = useTranslation("help");
	const [asked, setAsked] = useState("");
	return (
		<Stack gap="sm">
			<SearchField label={t("search")} value={asked} onChange={setAsked} />
			{asked.trim() ? (
				<Found pages={pages} topic={topic} onTopic={onTopic} asked={asked} />
			) : (
				<Groups pages={pages} topic={topic} onTopic={onTopic} />
			)}
		</Stack>
	);
}

function Groups({ pages, topic, onTopic }: ContentsProps) {
	const { t } = useTranslation("help");
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
							onClick={() => onTopic(one)}
						/>
					))}
				</NavLink>
			))}
		</nav>
	);
}

function Found({ pages, topic, onTopic, asked }: ContentsProps & { asked: string }) {
	const { t } = useTranslation("help");
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
						onClick={() => onTopic(match.topic)}
					/>
				))}
			</nav>
		</>
	);
}

function topicsOf(group: Group): readonly HelpTopic[] {
	return helpTopics[group];
}
