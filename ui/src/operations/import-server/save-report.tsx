import { Menu } from "@mantine/core";
import { IconDeviceFloppy, IconFileZip } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecordId, ReportFormat } from "@/bridge";
import { IconItem, MenuButton } from "@/components/menu";
import { SaveStatus } from "@/components/save-status";
import { useSaveRecord } from "@/lib/use-save-record";

const formats = ["html", "csv", "json"] as const satisfies readonly ReportFormat[];

/** Menu that saves a report in the system's file dialog. `news` shows the result. */
export function useSaveReport(record: RecordId | null) {
	const { t } = useTranslation("importServer");
	const save = useSaveRecord(record);
	const menu = (
		<MenuButton label={t("save.report")} icon={IconDeviceFloppy} disabled={record === null} loading={save.isPending}>
			{formats.map((format) => (
				<Menu.Item key={format} onClick={() => save.mutate(format)}>
					{t(`save.${format}`)}
				</Menu.Item>
			))}
			<Menu.Divider />
			<IconItem icon={IconFileZip} onClick={() => save.mutate("auditPackage")}>
				{t("save.auditPackage")}
			</IconItem>
		</MenuButton>
	);
	const news = (
		<SaveStatus
			save={save}
			label={t(save.variables === "auditPackage" ? "savedAuditPackage" : "saved")}
			dismissed={t("saveDismissed")}
		/>
	);
	return { menu, news };
}
