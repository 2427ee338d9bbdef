import { Menu } from "@mantine/core";
import { IconDeviceFloppy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Compared, ReportFormat } from "@/bridge";
import { MenuButton } from "@/components/menu";
import { SaveStatus } from "@/components/save-status";
import { useCommand } from "@/lib/use-command";

const formats: readonly ReportFormat[] = ["html", "csv", "json"];

/** Menu that saves a comparison in the system's file dialog; `null` if nothing is compared. `news` shows the result. */
export function useSaveChanges(compared: Compared | undefined) {
	const { t } = useTranslation(["changes", "run"]);
	const save = useCommand(
		(backend, [of, format]: [Compared, ReportFormat]) => backend.saveChanges(of, format),
		(stale) => stale("saveChanges"),
	);
	const menu = compared ? (
		<MenuButton label={t("save")} icon={IconDeviceFloppy} loading={save.isPending}>
			{formats.map((format) => (
				<Menu.Item key={format} onClick={() => save.mutate([compared, format])}>
					{t(`formats.${format}`)}
				</Menu.Item>
			))}
		</MenuButton>
	) : null;
	const news = <SaveStatus save={save} label={t("run:saving.path")} dismissed={t("run:saving.tableDismissed")} />;
	return { menu, news };
}
