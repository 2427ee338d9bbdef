import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** For a result that does not go with its page. */
export function HideResult({ onHide }: { onHide: () => void }) {
	const { t } = useTranslation("run");
	return (
		<Group>
			<Button onClick={onHide}>{t("hideResult")}</Button>
		</Group>
	);
}
