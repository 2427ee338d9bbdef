import { Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { usePreferences } from "@/lib/preferences";
import { Section } from "./section";
import { useLocked } from "./use-locked";

/** What the program may point out by itself. */
export function Attention() {
	const { t } = useTranslation();
	const { preferences, change } = usePreferences();
	const locked = useLocked();
	return (
		<Section title={t("settings.attention")}>
			<Switch
				label={t("settings.notifications")}
				{...locked.choice("notifications", t("settings.notificationsHint"))}
				checked={preferences.notifications}
				onChange={(event) => change({ notifications: event.currentTarget.checked })}
			/>
			<Switch
				label={t("settings.reminders")}
				{...locked.choice("reminders", t("settings.remindersHint"))}
				checked={preferences.reminders}
				onChange={(event) => change({ reminders: event.currentTarget.checked })}
			/>
		</Section>
	);
}
