import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Notice } from "./notice";

/** Beside the end of what leaves a record, where that does not tell the outcome. */
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
