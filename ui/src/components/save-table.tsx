import { type ButtonProps, Stack } from "@mantine/core";
import { IconTableExport } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SaveResult } from "@/bridge";
import { CommandButton } from "./command-button";
import { SaveStatus } from "./save-status";

interface SaveTableProps extends Pick<ButtonProps, "variant" | "disabled"> {
	label: string;
	save: () => Promise<SaveResult>;
}

/** Button that saves a table in the system's file dialog, with the result. */
export function SaveTable({ label, save, variant = "default", disabled = false }: SaveTableProps) {
	const { t } = useTranslation("run");
	const saving = useMutation({ mutationFn: save });
	return (
		<Stack gap="xs" align="flex-start" miw={0}>
			<CommandButton command={saving} label={label} variant={variant} disabled={disabled} icon={IconTableExport} />
			<SaveStatus save={saving} label={t("saving.path")} dismissed={t("saving.tableDismissed")} />
		</Stack>
	);
}
