import { notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { usePreferences } from "@/lib/preferences";

/** Says at the start that the settings of before could not be read; the settings say where they are now. */
export function useSettingsResetNotice(): void {
	const { t } = useTranslation();
	const { setAside } = usePreferences();
	useEffect(() => {
		if (setAside === null) return;
		notifications.show({
			id: "set-aside",
			message: t("settings.setAsideNotice"),
			closeButtonProps: { "aria-label": t("action.close") },
		});
	}, [setAside, t]);
}
