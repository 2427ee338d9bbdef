import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RecordId } from "@/bridge";
import { useOperationUis } from "@/lib/operation-ui";
import { useChangesSince } from "@/lib/queries/history";
import { ChangesSince } from "./changes-since";
import { LoadingRows } from "./loading-rows";
import { ProblemNotice } from "./problem-notice";

/** Recorded changes since an import, which an undo reverts as well. */
export function UndoneToo({ record }: { record: RecordId }) {
	const { t } = useTranslation("run");
	const uis = useOperationUis();
	const since = useChangesSince(record);
	if (since.isPending) return <LoadingRows rows={2} height={20} />;
	if (since.error) return <ProblemNotice problem={since.error} />;
	const { changes, count } = since.data;
	return (
		<Stack gap={4}>
			{count === 0 ? (
				<Text fw={600}>{t("undoImport.sinceNone")}</Text>
			) : (
				<ChangesSince changes={since.data} title={t("undoImport.since", { count })} />
			)}
			{Object.values(uis).map(({ key, undoneWithImport }) =>
				undoneWithImport && changes.some(({ operation }) => undoneWithImport.entries.includes(operation)) ? (
					<Text key={key}>{undoneWithImport.text(t)}</Text>
				) : null,
			)}
			<Text>{t("undoImport.sinceOthers")}</Text>
		</Stack>
	);
}
