import { Box, Button, Group, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";

interface LocalFolderProps extends GetInputPropsReturnType {
	label: string;
	description: string;
	/** Accessible name of the button that opens the dialog. */
	chooseLabel: string;
	/** Accessible name of the button that clears the folder; omitted if a folder is required. */
	removeLabel?: string;
	onFolder: (folder: string) => void;
}

/** Folder of this computer. Only the system's file dialog can select it. */
export function LocalFolder({ chooseLabel, removeLabel, onFolder, ...input }: LocalFolderProps) {
	const { t } = useTranslation("plans");
	const backend = useBackend();
	const choose = useMutation({
		mutationFn: () => backend.chooseFolder(),
		onSuccess: (folder) => folder !== null && onFolder(folder),
	});
	return (
		<>
			<TextInput
				readOnly
				placeholder={t("edit.noFolder")}
				// The fault is shown below field and buttons.
				inputContainer={(field) => (
					<Group gap="xs" align="flex-end" wrap="nowrap">
						<Box flex={1}>{field}</Box>
						<Button size="sm" loading={choose.isPending} aria-label={chooseLabel} onClick={() => choose.mutate()}>
							{t("edit.choose")}
						</Button>
						{removeLabel !== undefined && input.value ? (
							<Button size="sm" aria-label={removeLabel} onClick={() => onFolder("")}>
								{t("edit.remove")}
							</Button>
						) : null}
					</Group>
				)}
				{...input}
			/>
			{choose.error ? <ProblemNotice problem={choose.error} /> : null}
		</>
	);
}
