import { Button, Group, Menu, Stack, Text } from "@mantine/core";
import { IconChevronDown, IconDeviceFloppy, IconFileZip } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type RecordId, type ReportFormat, useBackend } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { ProblemNotice } from "@/components/problem-notice";
import { ShowInFolder } from "@/components/show-in-folder";
import { queryKeys } from "@/lib/queries";

const formats = ["html", "csv", "json"] as const satisfies readonly ReportFormat[];

/** Saves the report that the history keeps, through the system's dialog. `news` says what came of it. */
export function useSaveReport(record: RecordId | null) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const queries = useQueryClient();
	const save = useMutation({
		mutationFn: (format: ReportFormat | "evidence") =>
			format === "evidence" ? backend.saveEvidence(record ?? "") : backend.saveReport(record ?? "", format),
		// Evidence is a step of the guided lap.
		onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.lap }),
	});
	const problem = save.error ?? (save.data?.kind === "failed" ? save.data.problem : null);
	const menu = (
		<Menu position="bottom-end">
			<Menu.Target>
				<Button
					variant="default"
					leftSection={<IconDeviceFloppy size={16} aria-hidden />}
					rightSection={<IconChevronDown size={14} aria-hidden />}
					disabled={record === null}
					loading={save.isPending}
				>
					{t("save.report")}
				</Button>
			</Menu.Target>
			<Menu.Dropdown>
				{formats.map((format) => (
					<Menu.Item key={format} onClick={() => save.mutate(format)}>
						{t(`save.${format}`)}
					</Menu.Item>
				))}
				<Menu.Divider />
				<Menu.Item leftSection={<IconFileZip size={16} aria-hidden />} onClick={() => save.mutate("evidence")}>
					{t("save.evidence")}
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
	);
	const news = (
		<>
			{save.data?.kind === "saved" ? (
				<Group align="flex-end" gap="xs" maw={720} role="status">
					<Stack flex={1} miw={0}>
						<CopyField
							label={t(save.variables === "evidence" ? "savedEvidence" : "saved")}
							value={save.data.file.path}
							copyLabel={t("copyPath")}
						/>
					</Stack>
					<ShowInFolder path={save.data.file.path} />
				</Group>
			) : null}
			{save.data?.kind === "dismissed" ? (
				<Text size="sm" role="status">
					{t("saveDismissed")}
				</Text>
			) : null}
			{problem ? <ProblemNotice problem={problem} /> : null}
		</>
	);
	return { menu, news };
}
