import { Box, Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Notice } from "@/components/notice";
import { useNavigation } from "@/lib/navigation";
import { usePreferences } from "@/lib/preferences";

/** Damaged files that were set aside, above every page until the user marks them as resolved in the settings. */
export function SetAsideBanner() {
	const { t } = useTranslation();
	const { place, go } = useNavigation();
	const { setAside } = usePreferences();
	const [first, ...others] = setAside;
	// The settings list them.
	if (!first || place.page === "settings") return null;
	const title =
		others.length === 0
			? t(`settings.setAside.${first.what}.title`)
			: t("settings.setAside.title", { count: setAside.length });
	return (
		<Box px={{ base: 16, md: 24 }} pt={18} maw={1248}>
			<Notice tone="warnings" role="status" title={title}>
				<Group gap="xs">
					<Button onClick={() => go({ page: "settings" })}>{t("settings.setAside.show")}</Button>
				</Group>
			</Notice>
		</Box>
	);
}
