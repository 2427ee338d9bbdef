import { Badge } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

/** Marks an address at another host than the one that the person knows the site by. */
export function OtherHost() {
	const { t } = useTranslation("sites");
	return (
		<Badge
			component="span"
			color="orange"
			variant="light"
			style={{ flexShrink: 0 }}
			leftSection={<IconAlertTriangle size={12} aria-hidden />}
		>
			{t("profiles.differs")}
		</Badge>
	);
}
