import { List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type HistoryEntry, type RecordId, type SiteView, useBackend } from "@/bridge";
import { formatTime } from "@/lib/format";
import { useEntryName } from "@/lib/history-text";
import { queryKeys } from "@/lib/queries";
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
	const more = count - changes.length;
	return (
		<Stack gap={4}>
			<Text size="sm" fw={600}>
				{count === 0 ? t("undoImport.sinceNone") : t("undoImport.since", { count })}
			</Text>
			{count === 0 ? null : (
				<List size="sm" spacing={4} aria-label={t("undoImport.since", { count })}>
					{changes.map((entry) => (
						<Change key={entry.id} entry={entry} />
					))}
				</List>
			)}
			{more > 0 ? <Text size="sm">{t("undoImport.sinceMore", { count: more })}</Text> : null}
			{changes.some(({ operation }) => deactivations.has(operation)) ? (
				<Text size="sm">{t("undoImport.sinceWebhooks")}</Text>
			) : null}
			<Text size="sm">{t("undoImport.sinceOthers")}</Text>
		</Stack>
	);
}

const deactivations: ReadonlySet<HistoryEntry["operation"]> = new Set(["deactivate_webhooks", "deactivate_webhook"]);

function Change({ entry }: { entry: HistoryEntry }) {
	const nameOf = useEntryName();
	return (
		<List.Item style={{ overflowWrap: "anywhere" }}>
			{`${formatTime(entry.startedAt)} · ${nameOf(entry)}`}
			{entry.note ? (
				<Text size="sm" c="dimmed">
					{entry.note}
				</Text>
			) : null}
		</List.Item>
	);
}
