import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useNavigation } from "@/lib/navigation";

/** For whoever followed a link of an import report here. */
export function BackToReport() {
	const { t } = useTranslation("findItems");
	const { brought, back } = useNavigation();
	if (brought?.narrow === undefined || back === null) return null;
	return (
		<Button
			variant="default"
			leftSection={<IconArrowLeft size={16} aria-hidden />}
			onClick={back}
			style={{ alignSelf: "flex-start" }}
		>
			{t("backToReport")}
		</Button>
	);
}
