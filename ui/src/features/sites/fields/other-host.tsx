import { Badge } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

/** Marks an address at another host than the one that the person knows the site by. */
export function OtherHost() {
	const { t } = useTranslation("sites");
	return (
		<Badge
			component="span"
			// Letters of the warning's own colour would have too little contrast.
			variant="default"
			style={{ flexShrink: 0, verticalAlign: "middle" }}
			leftSection={<IconAlertTriangle size={14} color="var(--tone-warnings)" aria-hidden />}
		>
			{t("profiles.differs")}
		</Badge>
	);
}
