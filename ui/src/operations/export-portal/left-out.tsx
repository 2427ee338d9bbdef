import { useTranslation } from "react-i18next";
import type { ExportPortalForm, RecordId } from "@/bridge";
import { Checklist } from "@/components/checklist";

interface LeftOutProps {
	record: RecordId | null;
	target: ExportPortalForm["target"]["kind"];
}

/** What a portal export does not hold, to be kept by hand. */
export function ExcludedItem({ record, target }: LeftOutProps) {
	const { t } = useTranslation("exportPortal");
	const parts = ["servers", "dataStores", ...(target === "folder" ? [] : (["store"] as const))] as const;
	return (
		<Checklist
			record={record}
			title={t("left")}
			note={t("leftNote")}
			items={parts.map((part) => ({ id: part, label: t(`leftOut.${part}`), hint: t(`leftOutHint.${part}`) }))}
		/>
	);
}
