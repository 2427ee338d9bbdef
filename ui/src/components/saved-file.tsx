import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatSize } from "@/lib/format";
import type { SavingHandle } from "@/lib/use-saving";
import { CopyField } from "./copy-field";
import { ProblemNotice } from "./problem-notice";
import { ShowInFolder } from "./show-in-folder";

interface SavedFileProps {
	file: SavingHandle;
	/** Whether the page already states that the file is not saved. */
	isSaid?: boolean;
	/** Whether the verification of the saved file failed. */
	isFaulty?: boolean;
}

/** Path of a saved file, or a notice that it is not saved yet and how to save it. */
export function SavedFile({ file, isSaid = false, isFaulty = false }: SavedFileProps) {
	const { t } = useTranslation("run");
	const { saving: now } = file;
	if (now.kind === "saved") {
		return (
			<Stack gap="xs" role="status">
				<CopyField label={t("saving.path")} value={now.file.path} copyLabel={t("saving.copyPath")} isPath>
					<ShowInFolder path={now.file.path} />
				</CopyField>
				<Text c="dimmed">{t(isFaulty ? "saving.sizeOnly" : "saving.size", { size: formatSize(now.file.size) })}</Text>
				<CopyField label={t("saving.hash")} value={now.file.sha256} copyLabel={t("saving.copyHash")} />
			</Stack>
		);
	}
	return (
		<Stack gap="xs">
			{now.kind === "failed" ? <Text>{t("saving.failed")}</Text> : isSaid ? null : <Text>{t("saving.dismissed")}</Text>}
			{now.kind === "failed" ? <ProblemNotice problem={now.problem} /> : null}
			{file.error ? <ProblemNotice problem={file.error} /> : null}
			<Group>
				<Button variant="filled" loading={file.pending} onClick={file.again}>
					{t(now.kind === "dismissed" ? "saving.now" : "saving.again")}
				</Button>
			</Group>
		</Stack>
	);
}
