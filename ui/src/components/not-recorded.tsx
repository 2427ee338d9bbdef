import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Notice } from "./notice";

/** Warning that no history entry was written, beside an outcome that does not mention it. */
export function NotRecorded({ several = false }: { several?: boolean }) {
	const { t } = useTranslation("run");
	return (
		<Notice tone="warnings" title={t("notRecorded.title")}>
			<Text>
				{t(several ? "notRecorded.batch" : "notRecorded.one")} {t("notRecorded.do")}
			</Text>
		</Notice>
	);
}
