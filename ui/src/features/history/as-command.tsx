import { Code, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type RecordId, useBackend } from "@/bridge";
import { CopyButton } from "@/components/copy-button";
import { Foldable } from "@/components/foldable";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { Small } from "@/components/text";

/** Curl command of a history entry, with a variable instead of the token. */
export function AsCommand({ record }: { record: RecordId }) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const write = useMutation({ mutationFn: () => backend.recordAsCommand(record) });
	return (
		<Foldable title={t("command.curl")} onOpen={() => write.mutate()}>
			{write.isPending ? <LoadingRows rows={2} /> : null}
			{write.error ? <ProblemNotice problem={write.error} onRetry={() => write.mutate()} /> : null}
			{write.data ? (
				<Stack gap="xs" align="flex-start" role="status">
					<Code block w="100%" mah={220}>
						{write.data}
					</Code>
					<Small>{t("command.token")}</Small>
					<CopyButton value={write.data} label={t("command.copy")} />
				</Stack>
			) : null}
		</Foldable>
	);
}
