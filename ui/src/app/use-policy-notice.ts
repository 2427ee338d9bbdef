import { notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { usePreferences } from "@/lib/preferences";

/** Says at the start that the file of the organisation has to be mended; the settings say what about it. */
export function usePolicyNotice(): void {
	const { t } = useTranslation();
	const { policy } = usePreferences();
	const isFaulty = policy !== null && policy.faults.length > 0;
	useEffect(() => {
		if (!isFaulty) return;
		notifications.show({
			id: "policy",
			message: t("settings.policyNotice"),
			closeButtonProps: { "aria-label": t("action.close") },
		});
	}, [isFaulty, t]);
}
