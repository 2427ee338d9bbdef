import { Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ExportAge } from "@/lib/export-age";
import { Time } from "./time";

/** How old a copy is, in words; one that is too old says so. */
export function ExportAgeLine({ age }: { age: ExportAge }) {
	const { t } = useTranslation("sites");
	return (
		<Group gap={6} wrap="nowrap">
			{age.old ? (
				<IconAlertTriangle size={14} color="var(--tone-warnings)" aria-hidden style={{ flex: "none" }} />
			) : null}
			<Text size="sm" component="span">
				{age.at === null ? (
					t(`export.${age.area}.none`)
				) : (
					<>
						{t(`export.${age.area}.last`)} <Time at={age.at} relative />
					</>
				)}
			</Text>
		</Group>
	);
}
