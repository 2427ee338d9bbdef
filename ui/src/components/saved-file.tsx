import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Saving } from "@/bridge";
import { formatSize } from "@/lib/format";
import { CopyField } from "./copy-field";
import { ProblemNotice } from "./problem-notice";

interface SavedFileProps {
	saving: Saving;
	/** Opens the save dialog once more for what is still in hand. */
	saveAgain: () => Promise<Saving>;
}

/** Where a file is now, or that it is still in hand and how to save it. */
export function SavedFile({ saving, saveAgain }: SavedFileProps) {
	const { t } = useTranslation("run");
	const [now, setNow] = useState(saving);
	const again = useMutation({ mutationFn: saveAgain, onSuccess: setNow });
	if (now.kind === "saved") {
		return (
			<Stack gap="xs" role="status">
				<CopyField label={t("saving.path")} value={now.file.path} copyLabel={t("saving.copyPath")} />
				<Text size="sm" c="dimmed">
					{t("saving.size", { size: formatSize(now.file.size) })}
				</Text>
				<CopyField label={t("saving.hash")} value={now.file.sha256} copyLabel={t("saving.copyHash")} />
			</Stack>
		);
	}
	return (
		<Stack gap="xs">
			<Text size="sm">{t(now.kind === "dismissed" ? "saving.dismissed" : "saving.failed")}</Text>
			{now.kind === "failed" ? <ProblemNotice problem={now.problem} /> : null}
			{again.error ? <ProblemNotice problem={again.error} /> : null}
			<Group>
				<Button loading={again.isPending} onClick={() => again.mutate()}>
					{t("saving.again")}
				</Button>
			</Group>
		</Stack>
	);
}
