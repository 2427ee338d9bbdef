import { Stack } from "@mantine/core";
import { IconFolder } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useCommand } from "@/lib/use-command";
import { CommandButton } from "./command-button";
import { ProblemNotice } from "./problem-notice";

export function ShowInFolder({ path }: { path: string }) {
	const { t } = useTranslation("run");
	const show = useCommand((backend) => backend.showInFolder(path));
	return (
		<Stack gap="xs" align="flex-start">
			<CommandButton command={show} label={t("showInFolder")} icon={IconFolder} />
			{show.error ? <ProblemNotice problem={show.error} /> : null}
		</Stack>
	);
}
