import { Button, Menu, Stack } from "@mantine/core";
import { IconChevronDown, IconDeviceFloppy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Compared, ReportFormat } from "@/bridge";
import { SaveStatus } from "@/components/save-status";
import { useCommand } from "@/lib/use-command";

const formats: readonly ReportFormat[] = ["html", "csv", "json"];

/** Saves what differs in the system's file dialog. */
export function SaveChanges({ compared }: { compared: Compared }) {
	const { t } = useTranslation(["changes", "run"]);
	const save = useCommand(
		(backend, format: ReportFormat) => backend.saveChanges(compared, format),
		(stale) => stale("saveChanges"),
	);
	return (
		<Stack gap="xs">
			<Menu position="bottom-end">
				<Menu.Target>
					<Button
						loading={save.isPending}
						leftSection={<IconDeviceFloppy size={16} aria-hidden />}
						rightSection={<IconChevronDown size={16} aria-hidden />}
					>
						{t("save")}
					</Button>
				</Menu.Target>
				<Menu.Dropdown>
					{formats.map((format) => (
						<Menu.Item key={format} onClick={() => save.mutate(format)}>
							{t(`formats.${format}`)}
						</Menu.Item>
					))}
				</Menu.Dropdown>
			</Menu>
			<SaveStatus
				save={{ data: save.data, error: save.error }}
				label={t("run:saving.path")}
				dismissed={t("run:saving.tableDismissed")}
			/>
		</Stack>
	);
}
