import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ExcludedItem, RecordId } from "@/bridge";
import { Checklist } from "@/components/checklist";
import { Foldable } from "@/components/foldable";

/** What the specification leaves out of a server export. */
const parts = [
	"cacheTiles",
	"serviceData",
	"primaryAdministrator",
	"webAdaptors",
	"logs",
	"statistics",
] as const satisfies readonly ExcludedItem[];

/** Before an export: good to know. */
export function ExcludedItems() {
	const { t } = useTranslation("exportServer");
	return (
		<Foldable title={t("left")}>
			<Text mb="xs">{t("leftNote")}</Text>
			<List>
				{parts.map((part) => (
					<List.Item key={part}>{t(`excluded.${part}`)}</List.Item>
				))}
			</List>
		</Foldable>
	);
}

/** After an export: to be marked as done. */
export function ExcludedItemsChecklist({ record }: { record: RecordId | null }) {
	const { t } = useTranslation("exportServer");
	const items = parts.map((part) => ({ id: part, label: t(`excluded.${part}`), hint: t(`excludedHint.${part}`) }));
	return <Checklist record={record} title={t("left")} note={t("leftNote")} items={items} />;
}
