import { Box, Button, Group, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";

interface LocalFolderProps extends GetInputPropsReturnType {
	label: string;
	description: string;
	/** Names the button that opens the dialog. */
	chooseLabel: string;
	/** Names the button that removes the folder; none where one is needed. */
	removeLabel?: string;
	onFolder: (folder: string) => void;
}

/** A folder of this computer, which only the system's dialog chooses. */
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
				// What is wrong with the folder stands below all of it.
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
