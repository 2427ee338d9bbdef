import { Badge } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

/** Marks a URL on another host than the one that the user knows. */
export function OtherHost() {
	const { t } = useTranslation("sites");
	return (
		<Badge
			component="span"
			// Text in the color of the tone would have too little contrast.
			variant="default"
			style={{ flexShrink: 0, verticalAlign: "middle" }}
			leftSection={<IconAlertTriangle size={14} color="var(--tone-warnings)" aria-hidden />}
		>
			{t("profiles.differs")}
		</Badge>
	);
}
