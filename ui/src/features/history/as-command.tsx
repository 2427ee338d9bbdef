import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconTerminal2 } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type CommandLanguage, type RecordId, useBackend } from "@/bridge";
import { CopyButton } from "@/components/copy-button";
import { ProblemNotice } from "@/components/problem-notice";

const languages: readonly CommandLanguage[] = ["curl", "python"];

/** The record as a command for a colleague or a ticket. The token is a variable in it. */
export function AsCommand({ record }: { record: RecordId }) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const write = useMutation({ mutationFn: (language: CommandLanguage) => backend.recordAsCommand(record, language) });
	return (
		<Stack gap="xs">
			<Group gap="xs">
				{languages.map((language) => (
					<Button
						key={language}
						size="xs"
						variant="default"
						leftSection={<IconTerminal2 size={14} aria-hidden />}
						loading={write.isPending && write.variables === language}
						onClick={() => write.mutate(language)}
					>
						{t(`command.${language}`)}
					</Button>
				))}
			</Group>
			{write.error ? <ProblemNotice problem={write.error} /> : null}
			{write.data ? (
				<Stack gap="xs" align="flex-start" role="status">
					<Code block w="100%" mah={220}>
						{write.data}
					</Code>
					<Text size="xs" c="dimmed">
						{t("command.token")}
					</Text>
					<CopyButton value={write.data} label={t("command.copy")} />
				</Stack>
			) : null}
		</Stack>
	);
}
