import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, RecordedChanges, RecordId, SiteView } from "@/bridge";
import { formatTime } from "@/lib/format";
import { useEntryName } from "@/lib/history-text";
import { useNavigation } from "@/lib/navigation";
import { LinkButton } from "./text";

/** Newest recorded changes of a server, and the number of the others. */
export function ChangesSince({ changes: { changes, count }, title }: { changes: RecordedChanges; title: string }) {
	const { t } = useTranslation("run");
	const more = count - changes.length;
	return (
		<>
			<Text fw={600}>{title}</Text>
			<List spacing={4} aria-label={title}>
				{changes.map((entry) => (
					<Change key={entry.id} entry={entry} />
				))}
			</List>
			{more > 0 ? <Text>{t("undoImport.sinceMore", { count: more })}</Text> : null}
		</>
	);
}

function Change({ entry }: { entry: HistoryEntry }) {
	const nameOf = useEntryName();
	return (
		<List.Item mod="anywhere">
			{`${formatTime(entry.startedAt)} · ${nameOf(entry)}`}
			{entry.note ? <Text c="dimmed">{entry.note}</Text> : null}
		</List.Item>
	);
}

/** Link from the result of an import to the differences it made. */
export function ChangesByImport({ site, record }: { site: SiteView; record: RecordId | null }) {
	const { t } = useTranslation("run");
	const { go } = useNavigation();
	if (record === null) return null;
	return (
		<div>
			<LinkButton onClick={() => go({ page: "changes", site: site.id, import: record })}>
				{t("changesByImport")}
			</LinkButton>
		</div>
	);
}
