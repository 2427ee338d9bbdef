import { Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { CopyField } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { usePreferences } from "@/lib/preferences";

/** Where the settings of before are, when they could not be read. */
export function SettingsReset() {
	const { t } = useTranslation();
	const { setAside } = usePreferences();
	if (setAside === null) return null;
	return (
		<Notice tone="warnings" icon={IconAlertTriangle} role="status" title={t("settings.setAside")}>
			<Text size="sm">{t("settings.setAsideBody")}</Text>
			<CopyField label={t("settings.setAsideFile")} value={setAside} />
		</Notice>
	);
}
