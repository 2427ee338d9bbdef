import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useNavigation } from "@/lib/navigation";

/** For whoever followed a link of an import report here. */
export function BackToReport() {
	const { t } = useTranslation("findItems");
	const { place, go } = useNavigation();
	const report = place.page === "operation" ? place.report : undefined;
	if (!report) return null;
	return (
		<Button
			variant="default"
			leftSection={<IconArrowLeft size={16} aria-hidden />}
			onClick={() => go(report)}
			style={{ alignSelf: "flex-start" }}
		>
			{t("backToReport")}
		</Button>
	);
}
