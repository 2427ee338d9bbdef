import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type RecordId, type ReportFormat, useBackend } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { ProblemNotice } from "@/components/problem-notice";

const formats = ["html", "csv", "json"] as const satisfies readonly ReportFormat[];

/** Saves the report that the history keeps, through the system's dialog. */
export function SaveReport({ record }: { record: RecordId | null }) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const save = useMutation({ mutationFn: (format: ReportFormat) => backend.saveReport(record ?? "", format) });
	const problem = save.error ?? (save.data?.kind === "failed" ? save.data.problem : null);
	return (
		<Stack gap="xs">
			<Group gap="xs">
				{formats.map((format) => (
					<Button
						key={format}
						size="xs"
						variant="default"
						disabled={record === null}
						loading={save.isPending && save.variables === format}
						onClick={() => save.mutate(format)}
					>
						{t(`save.${format}`)}
					</Button>
				))}
			</Group>
			{save.data?.kind === "saved" ? (
				<CopyField label={t("saved")} value={save.data.file.path} copyLabel={t("copyPath")} />
			) : null}
			{save.data?.kind === "dismissed" ? (
				<Text size="sm" role="status">
					{t("saveDismissed")}
				</Text>
			) : null}
			{problem ? <ProblemNotice problem={problem} /> : null}
		</Stack>
	);
}
