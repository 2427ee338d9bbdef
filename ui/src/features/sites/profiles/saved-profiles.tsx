import { Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { CopyField } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { ProblemNotice } from "@/components/problem-notice";
import { ShowInFolder } from "@/components/show-in-folder";
import type { SaveProfiles } from "./use-save-profiles";

/** What became of the file with the profiles. A closed dialog needs no words. */
export function SavedProfiles({ handle: { saving, error } }: { handle: SaveProfiles }) {
	const { t } = useTranslation("sites");
	if (error) return <ProblemNotice problem={error} />;
	if (saving?.kind === "failed") return <ProblemNotice problem={saving.problem} />;
	if (saving?.kind !== "saved") return null;
	return (
		<Notice tone="succeeded" icon={IconCircleCheck} role="status" title={t("profiles.saved")}>
			<CopyField value={saving.file.path} copyLabel={t("profiles.copyPath")} isPath />
			<ShowInFolder path={saving.file.path} />
			<Text size="sm">{t("profiles.without")}</Text>
		</Notice>
	);
}
