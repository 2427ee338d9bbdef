import { Box, Button, CloseButton, Group, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { ProblemNotice } from "./problem-notice";

interface FileFieldProps extends TextInputProps {
	chooseLabel: string;
	removeLabel: string;
	onFile: (path: string) => void;
}

/** File of this computer from the system's file dialog. The backend accepts no other path. */
export function FileField({ chooseLabel, removeLabel, onFile, readOnly = false, ...input }: FileFieldProps) {
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
				readOnly
				rightSection={
					input.value && !readOnly ? <CloseButton aria-label={removeLabel} onClick={() => onFile("")} /> : null
				}
				inputContainer={(field) => (
					<Group gap="xs" wrap="nowrap" align="flex-end">
						<Box flex={1}>{field}</Box>
						<Button
							size="sm"
							flex="none"
							loading={choose.isPending}
							disabled={readOnly}
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
