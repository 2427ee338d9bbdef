import { Button, Group, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { isLocal } from "@/lib/local-site";
import { usePractice } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";
import { CommandButton } from "./command-button";
import { ProblemNotice } from "./problem-notice";

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
