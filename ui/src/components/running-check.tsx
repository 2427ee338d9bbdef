import { Group, Loader, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RunView } from "@/bridge";
import { useNameOfRun } from "@/lib/history-text";
import { useStepText } from "@/lib/step-text";
import { useCommand } from "@/lib/use-command";
import { CommandButton } from "./command-button";
import { ProblemNotice } from "./problem-notice";

/** Running check with Stop. No confirmation is required, because a check changes nothing. */
export function RunningCheck({ run }: { run: RunView }) {
	const { t } = useTranslation("common");
	const stop = useCommand((backend) => backend.stopRun(run.id));
	const step = useStepText(run.step);
	const nameOf = useNameOfRun();
	return (
		<Group gap="xs" role="status">
			<Loader size={16} aria-hidden />
			<Text>{nameOf(run)}</Text>
			<Text c="dimmed">{step}</Text>
			<CommandButton command={stop} label={t("operationsPanel.stop.check.button")} />
			{stop.error ? <ProblemNotice problem={stop.error} /> : null}
		</Group>
	);
}
