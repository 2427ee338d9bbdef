import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Foldable } from "@/components/foldable";

const parts = ["left1", "left2", "left3", "left4", "left5", "left6"] as const;

/** What the specification leaves out of a server export. */
export function LeftOut() {
	const { t } = useTranslation("exportServer");
	return (
		<Foldable title={t("left")}>
			<Text size="sm" mb="xs">
				{t("leftNote")}
			</Text>
			<List size="sm">
				{parts.map((part) => (
					<List.Item key={part}>{t(part)}</List.Item>
				))}
			</List>
		</Foldable>
	);
}
