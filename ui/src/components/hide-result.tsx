import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Hides a result that stays after its page was left. */
export function HideResult({ onHide }: { onHide: () => void }) {
	const { t } = useTranslation("run");
	return (
		<Group>
			<Button onClick={onHide}>{t("hideResult")}</Button>
		</Group>
	);
}
