import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconDeviceFloppy, IconFileZip } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecordId, ReportFormat } from "@/bridge";
import { SaveStatus } from "@/components/save-status";
import { useSaveRecord } from "@/lib/use-save-record";

const formats = ["html", "csv", "json"] as const satisfies readonly ReportFormat[];

/** Menu that saves a report in the system's file dialog. `news` shows the result. */
export function useSaveReport(record: RecordId | null) {
	const { t } = useTranslation("importServer");
	const save = useSaveRecord(record);
	const menu = (
		<Menu position="bottom-end">
			<Menu.Target>
				<Button
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
				<Menu.Item leftSection={<IconFileZip size={16} aria-hidden />} onClick={() => save.mutate("auditPackage")}>
					{t("save.auditPackage")}
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
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
