import { Box, Flex, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { asProblem, type Problem } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Outcome } from "@/components/outcome";
import { Page, pageWidths } from "@/components/page";
import { IconButton } from "@/components/text";
import { type HelpTopic, problemKinds } from "@/lib/help";
import { useNavigation } from "@/lib/navigation";
import { useHelpPages } from "@/lib/queries/program";
import type { Language } from "@/messages/i18n";
import { Contents, loadPages } from "./contents";
import { Markdown } from "./markdown";

interface HelpPageProps {
	topic: HelpTopic;
	/** Section to show of the page about problems. */
	problem?: Problem["kind"] | undefined;
}

export default function HelpPage({ topic, problem }: HelpPageProps) {
	const { t, i18n } = useTranslation("help");
	const { back } = useNavigation();
	const pages = useHelpPages(i18n.language, () => loadPages(i18n.language as Language));
	const text = pages.data?.get(topic);
	return (
		<Page
			title={t("title")}
			width="wide"
			actions={back ? <IconButton label={t("back")} icon={IconArrowLeft} onClick={back} /> : null}
		>
			{pages.error ? <ProblemNotice problem={asProblem(pages.error)} onRetry={() => void pages.refetch()} /> : null}
			{pages.isPending ? <LoadingRows /> : null}
			{pages.data ? (
				<Flex direction={{ base: "column", sm: "row" }} gap="lg" align="flex-start">
					<Box w={{ base: "100%", sm: 200, md: 260 }} flex="none">
						<Contents pages={pages.data} topic={topic} />
					</Box>
					<Article key={`${topic} ${problem}`} topic={topic} problem={problem} text={text ?? ""} />
				</Flex>
			) : null}
		</Page>
	);
}

/** Help article. It, or the section about a problem, takes the focus when it appears. */
function Article({ topic, problem, text }: HelpPageProps & { text: string }) {
	const ref = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const article = ref.current;
		const section = problem ? article?.querySelectorAll("h3")[problemKinds.indexOf(problem)] : null;
		(section ?? article)?.focus({ preventScroll: true });
		// In a narrow window, the article is below the contents.
		const isBelow = article && article.getBoundingClientRect().top > window.innerHeight / 2;
		if (section || isBelow) (section ?? article)?.scrollIntoView?.();
	}, [problem]);
	return (
		<Stack
			component="article"
			ref={ref}
			tabIndex={-1}
			maw={pageWidths.form}
			miw={0}
			flex={1}
			style={{ outline: "none", scrollMarginTop: "calc(var(--app-shell-header-offset, 0px) + 1rem)" }}
		>
			<Markdown text={text} />
			<OutcomePicture topic={topic} />
		</Stack>
	);
}

const outcomes = ["succeeded", "warnings", "failed", "unknown", "notSent"] as const;

/** Example of the outcome that a help page is about; renders nothing on other pages. */
function OutcomePicture({ topic }: { topic: HelpTopic }) {
	const { t } = useTranslation("help");
	const outcome = outcomes.find((one) => topic === (one === "notSent" ? "outcome-not-sent" : `outcome-${one}`));
	if (!outcome) return null;
	return (
		<Stack component="figure" gap="xs" m={0} mt="xs">
			<Text component="figcaption" c="dimmed">
				{t("example.caption")}
			</Text>
			{/* Inert: the page contains the text as well. */}
			<Box inert>
				<Outcome outcome={outcome} title={t(`example.${outcome}`)} />
			</Box>
		</Stack>
	);
}
