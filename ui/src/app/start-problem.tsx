import { Box, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem, type StartChoice, type StartProblem, useBackend } from "@/bridge";
import { CopyButton, CopyField } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { formatExactTime } from "@/lib/format";

interface StartProblemPageProps {
	problem: StartProblem;
	/** Called when the app has started. */
	onStarted: () => void;
}

/** Page instead of the whole window if the app cannot start: the reason and the options. */
export function StartProblemPage({ problem: first, onStarted }: StartProblemPageProps) {
	const { t, i18n } = useTranslation("startProblem");
	const backend = useBackend();
	const [problem, setProblem] = useState(first);
	const [failure, setFailure] = useState<string | null>(null);
	const [pending, setPending] = useState<StartChoice | null>(null);
	const heading = useRef<HTMLHeadingElement>(null);
	// The backend shows the window when there is something to read.
	useEffect(() => {
		void backend.windowReady(i18n.language).catch(() => {});
		void backend.setTitle("Site Steward").catch(() => {});
	}, [backend, i18n]);
	useEffect(() => {
		if (problem) heading.current?.focus();
	}, [problem]);

	const choose = async (choice: StartChoice) => {
		setPending(choice);
		setFailure(null);
		try {
			const next = await backend.resolveStart(choice);
			if (next === null) onStarted();
			else setProblem(next.problem);
		} catch (thrown) {
			const failed = asProblem(thrown);
			setFailure("message" in failed ? failed.message : failed.kind);
		}
		setPending(null);
	};

	const { file, fault, path, copyAt, canContinue, details } = problem;
	const choices: StartChoice[] = [];
	if (file !== null && copyAt !== null) choices.push("useCopy");
	if (file !== null) choices.push("setAside");
	if (canContinue) choices.push("continue");
	const copied = copyAt === null ? "" : formatExactTime(copyAt);
	return (
		<Box component="main" p="lg" maw={760} mx="auto">
			<Stack gap="lg">
				<Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: "none" }}>
					{t(file === null ? "title.none" : fault === "notWritable" ? "title.notWritable" : `title.${file}`)}
				</Title>
				<Notice tone="failed" title={t(`fault.${fault}`)}>
					<Stack gap="xs">
						{file !== null ? <Text>{copyAt === null ? t("noCopy") : t("copyAt", { at: copied })}</Text> : null}
						{failure === null ? null : <Text>{failure}</Text>}
					</Stack>
				</Notice>
				{path ? <CopyField label={t(file === null ? "folder" : "file")} value={path} /> : null}
				{choices.map((choice, index) => (
					<Stack key={choice} gap={4} align="flex-start">
						<Button
							variant={index === 0 ? "filled" : "default"}
							loading={pending === choice}
							disabled={pending !== null && pending !== choice}
							aria-describedby={`start-${choice}`}
							onClick={() => void choose(choice)}
						>
							{t(`choice.${choice}`)}
						</Button>
						<Text id={`start-${choice}`} c="dimmed">
							{choice === "setAside" && file !== null
								? t(`effect.setAside.${file}`)
								: choice === "useCopy"
									? t("effect.useCopy", { at: copied })
									: t("effect.continue")}
						</Text>
					</Stack>
				))}
				<Group gap="xs">
					<CopyButton value={`Site Steward\n${details}`} label={t("copyDetails")} />
					<Button onClick={() => void backend.quitStart()}>{t("quit")}</Button>
				</Group>
			</Stack>
		</Box>
	);
}
