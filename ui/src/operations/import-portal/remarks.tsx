import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { PortalImportReport } from "@/bridge";
import { FurtherResponse } from "@/components/further-response";
import { WarningList } from "@/components/warning-list";

/** Warnings of the portal, and text that the app does not interpret. */
export function Remarks({ report: { warned, messages, further } }: { report: PortalImportReport }) {
	const { t } = useTranslation("importPortal");
	return (
		<>
			{warned && messages.length === 0 ? <Text>{t("warnedWithoutDetails")}</Text> : null}
			<WarningList title={t("warningsTitle")} messages={messages} />
			<FurtherResponse lines={further} />
		</>
	);
}
