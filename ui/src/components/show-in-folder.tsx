import { Stack } from "@mantine/core";
import { IconFolder } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { CommandButton } from "./command-button";
import { ProblemNotice } from "./problem-notice";

export function ShowInFolder({ path }: { path: string }) {
	const { t } = useTranslation("run");
	const backend = useBackend();
	const show = useMutation({ mutationFn: () => backend.showInFolder(path) });
	return (
		<Stack gap="xs" align="flex-start">
			<CommandButton command={show} label={t("showInFolder")} icon={IconFolder} />
			{show.error ? <ProblemNotice problem={show.error} /> : null}
		</Stack>
	);
}
