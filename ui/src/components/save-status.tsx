import { Box, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Problem, SaveResult } from "@/bridge";
import { CopyField } from "./copy-field";
import { pageWidths } from "./page";
import { ProblemNotice } from "./problem-notice";
import { ShowInFolder } from "./show-in-folder";

interface SaveStatusProps {
	save: { data: SaveResult | undefined; error: Problem | null };
	/** Label of the saved file. */
	label: string;
	/** Text shown if the user closed the dialog. */
	dismissed: string;
}

/** Result of saving a file in the system's file dialog. */
export function SaveStatus({ save, label, dismissed }: SaveStatusProps) {
	const { t } = useTranslation("run");
	const problem = save.error ?? (save.data?.kind === "failed" ? save.data.problem : null);
	if (problem) return <ProblemNotice problem={problem} />;
	if (save.data?.kind === "dismissed") {
		return <Text role="status">{dismissed}</Text>;
	}
	if (save.data?.kind !== "saved") return null;
	const { path } = save.data.file;
	return (
		<Box maw={pageWidths.form} role="status">
			<CopyField label={label} value={path} copyLabel={t("saving.copyPath")} isPath>
				<ShowInFolder path={path} />
			</CopyField>
		</Box>
	);
}
