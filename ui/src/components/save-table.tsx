import { Button, type ButtonProps, Stack, Text } from "@mantine/core";
import { IconTableExport } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Saving } from "@/bridge";
import { CopyField } from "./copy-field";
import { ProblemNotice } from "./problem-notice";

interface SaveTableProps extends Pick<ButtonProps, "variant" | "disabled"> {
	label: string;
	save: () => Promise<Saving>;
}

/** A table that can be saved through the system's dialog, and where it is then. */
export function SaveTable({ label, save, variant = "default", disabled = false }: SaveTableProps) {
	const { t } = useTranslation("run");
	const saving = useMutation({ mutationFn: save });
	const problem = saving.error ?? (saving.data?.kind === "failed" ? saving.data.problem : null);
	return (
		<Stack gap="xs" align="flex-start" miw={0}>
			<Button
				variant={variant}
				disabled={disabled}
				loading={saving.isPending}
				leftSection={<IconTableExport size={16} aria-hidden />}
				onClick={() => saving.mutate()}
			>
				{label}
			</Button>
			{saving.data?.kind === "saved" ? (
				<CopyField label={t("saving.path")} value={saving.data.file.path} copyLabel={t("saving.copyPath")} />
			) : null}
			{saving.data?.kind === "dismissed" ? (
				<Text size="sm" c="dimmed" role="status">
					{t("saving.tableDismissed")}
				</Text>
			) : null}
			{problem ? <ProblemNotice problem={problem} /> : null}
		</Stack>
	);
}
