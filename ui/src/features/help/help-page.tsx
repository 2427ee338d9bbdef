import { Box, Button, Flex, Stack } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Page, pageWidths } from "@/components/page";
import type { HelpTopic } from "@/lib/help";
import { useHelpPages } from "@/lib/queries/program";
import type { Language } from "@/messages/i18n";
import { Contents, loadPages } from "./contents";
import { Markdown } from "./markdown";
import { NoticePicture } from "./pictures/notice-picture";

interface HelpPageProps {
	topic: HelpTopic;
	onTopic: (topic: HelpTopic) => void;
	/** `null` if there is no earlier page. */
	onBack: (() => void) | null;
}

export default function HelpPage({ topic, onTopic, onBack }: HelpPageProps) {
	const { t, i18n } = useTranslation("help");
	const pages = useHelpPages(i18n.language, () => loadPages(i18n.language as Language));
	const text = pages.data?.get(topic);
	return (
		<Page
			title={t("title")}
			width="wide"
			actions={
				onBack ? (
					<Button leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
						{t("back")}
					</Button>
				) : null
			}
		>
			{pages.error ? <ProblemNotice problem={asProblem(pages.error)} onRetry={() => void pages.refetch()} /> : null}
			{pages.isPending ? <LoadingRows /> : null}
			{pages.data ? (
				<Flex direction={{ base: "column", sm: "row" }} gap="lg" align="flex-start">
					<Box w={{ base: "100%", sm: 200, md: 260 }} flex="none">
						<Contents pages={pages.data} topic={topic} onTopic={onTopic} />
					</Box>
					<Article key={topic} topic={topic} text={text ?? ""} onTopic={onTopic} />
				</Flex>
			) : null}
		</Page>
	);
}

interface ArticleProps {
	topic: HelpTopic;
	text: string;
	onTopic: (topic: HelpTopic) => void;
}

/** Help article. Takes the focus when it appears. */
function Article({ topic, text, onTopic }: ArticleProps) {
	const ref = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const article = ref.current;
		article?.focus({ preventScroll: true });
		// In a narrow window, the article is below the contents.
		if (article && article.getBoundingClientRect().top > window.innerHeight / 2) article.scrollIntoView();
	}, []);
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
			<Markdown text={text} onTopic={(topic) => onTopic(topic as HelpTopic)} />
			<NoticePicture topic={topic} />
		</Stack>
	);
}
