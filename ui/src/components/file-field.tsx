import { Box, Button, Group, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { ProblemNotice } from "./problem-notice";

interface FileFieldProps extends TextInputProps {
	chooseLabel: string;
	onFile: (path: string) => void;
}

/** A file of this computer, by its path or from the system's dialog. */
export function FileField({ chooseLabel, onFile, ...input }: FileFieldProps) {
	const { t } = useTranslation();
	const backend = useBackend();
	const choose = useMutation({
		mutationFn: () => backend.chooseFile(),
		onSuccess: (path) => path !== null && onFile(path),
	});
	return (
		<Stack gap="xs">
			<TextInput
				spellCheck={false}
				inputContainer={(field) => (
					<Group gap="xs" wrap="nowrap" align="flex-end">
						<Box flex={1}>{field}</Box>
						<Button
							variant="default"
							flex="none"
							loading={choose.isPending}
							disabled={input.readOnly ?? false}
							aria-label={chooseLabel}
							onClick={() => choose.mutate()}
						>
							{t("file.choose")}
						</Button>
					</Group>
				)}
				{...input}
			/>
			{choose.error ? <ProblemNotice problem={choose.error} /> : null}
		</Stack>
	);
}
