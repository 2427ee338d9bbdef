import { Box, Button, CloseButton, Group, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { isLocal } from "@/lib/format";
import { usePractice } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";
import { CommandButton, ProblemNotice } from "./notice";

interface PathFieldProps extends Omit<TextInputProps, "onChange"> {
	kind: "file" | "folder";
	/** Accessible name of the button that opens the dialog. */
	chooseLabel: string;
	/** Accessible name of the button that clears the field; omitted if a path is required. */
	removeLabel?: string;
	onChange?: (path: string) => void;
}

/** File or folder of this computer from the system's file dialog. The backend accepts no other path. */
export function PathField({ kind, chooseLabel, removeLabel, onChange, readOnly = false, ...input }: PathFieldProps) {
	const { t } = useTranslation();
	const choose = useCommand((backend) => (kind === "file" ? backend.chooseFile() : backend.chooseFolder()), null, {
		onDone: (path) => path !== null && onChange?.(path),
	});
	const isRemovable = input.value && !readOnly && removeLabel !== undefined;
	return (
		<Stack gap="xs">
			<TextInput
				spellCheck={false}
				readOnly
				rightSection={isRemovable ? <CloseButton aria-label={removeLabel} onClick={() => onChange?.("")} /> : null}
				inputContainer={(field) => (
					<Group gap="xs" wrap="nowrap" align="flex-end">
						<Box flex={1}>{field}</Box>
						<CommandButton
							command={choose}
							label={t("file.choose")}
							size="sm"
							flex="none"
							disabled={readOnly}
							aria-label={chooseLabel}
						/>
					</Group>
				)}
				{...input}
			/>
			{choose.error ? <ProblemNotice problem={choose.error} /> : null}
		</Stack>
	);
}

interface FolderFieldProps extends Omit<TextInputProps, "onChange"> {
	site: SiteView;
	onChange?: (folder: string) => void;
}

/** Folder as the site sees it. For a site on this computer, the system's file dialog can select it. */
export function FolderField({ site, onChange, ...input }: FolderFieldProps) {
	const { t } = useTranslation();
	const practice = usePractice();
	const choose = useCommand((backend) => backend.chooseFolder(), null, {
		onDone: (folder) => folder !== null && onChange?.(folder),
	});
	const practiceFolder = site.environment === "practice" ? practice.data?.exportFolder : undefined;
	return (
		<Stack gap="xs">
			<TextInput spellCheck={false} onChange={(event) => onChange?.(event.currentTarget.value)} {...input} />
			{isLocal(site) ? (
				<Group gap="xs">
					<CommandButton command={choose} label={t("folder.choose")} />
					{practiceFolder ? <Button onClick={() => onChange?.(practiceFolder)}>{t("folder.practice")}</Button> : null}
				</Group>
			) : null}
			{choose.error ? <ProblemNotice problem={choose.error} /> : null}
		</Stack>
	);
}
