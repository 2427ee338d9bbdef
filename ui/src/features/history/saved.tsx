import { Stack, Text } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Problem, Saving } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { ProblemNotice } from "@/components/problem-notice";

/** Where a file went that was saved through the system's dialog. */
export function Saved<T>({ save }: { save: UseMutationResult<Saving, Problem, T> }) {
	const { t } = useTranslation("history");
	const problem = save.error ?? (save.data?.kind === "failed" ? save.data.problem : null);
	if (problem) return <ProblemNotice problem={problem} />;
	if (save.data?.kind === "saved") {
		return (
			<Stack role="status">
				<CopyField label={t("saved.path")} value={save.data.file.path} copyLabel={t("saved.copyPath")} />
			</Stack>
		);
	}
	if (save.data?.kind !== "dismissed") return null;
	return (
		<Text size="sm" role="status">
			{t("saved.dismissed")}
		</Text>
	);
}
