import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type HistoryEntry, type RecordId, type SiteView, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";
import { ChangesSince } from "./changes-since";
import { LoadingRows } from "./loading-rows";
import { ProblemNotice } from "./problem-notice";

/** The recorded changes of the server since an import, which an undo of it undoes as well. */
export function UndoneToo({ site, record }: { site: SiteView; record: RecordId }) {
	const { t } = useTranslation("run");
	const backend = useBackend();
	const since = useQuery({
		queryKey: [...queryKeys.history, "since", record],
		queryFn: () => backend.previewUndo(site.id, record),
		staleTime: 0,
	});
	if (since.isPending) return <LoadingRows rows={2} height={20} />;
	if (since.error) return <ProblemNotice problem={since.error} />;
	const { changes, count } = since.data;
	return (
		<Stack gap={4}>
			{count === 0 ? (
				<Text size="sm" fw={600}>
					{t("undoImport.sinceNone")}
				</Text>
			) : (
				<ChangesSince changes={since.data} title={t("undoImport.since", { count })} />
			)}
			{changes.some(({ operation }) => deactivations.has(operation)) ? (
				<Text size="sm">{t("undoImport.sinceWebhooks")}</Text>
			) : null}
			<Text size="sm">{t("undoImport.sinceOthers")}</Text>
		</Stack>
	);
}

const deactivations: ReadonlySet<HistoryEntry["operation"]> = new Set(["deactivate_webhooks", "deactivate_webhook"]);
