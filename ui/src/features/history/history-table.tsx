import { Anchor, Button, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "@/bridge";
import { OutcomeBadge } from "@/components/outcome";
import { Time } from "@/components/time";
import { formatTime } from "@/lib/format";
import { useHistoryName } from "@/lib/history-words";

const portion = 200;

interface HistoryTableProps {
	entries: readonly HistoryEntry[];
	onOpen: (entry: HistoryEntry) => void;
}

/** Newest first, in portions: years of entries should not slow the first look. */
export function HistoryTable({ entries, onOpen }: HistoryTableProps) {
	const { t } = useTranslation("history");
	const [shown, setShown] = useState(portion);
	const rest = entries.length - shown;
	return (
		<Stack gap="sm" align="flex-start">
			<Text size="sm" c="dimmed" role="status">
				{t("count", { count: entries.length })}
			</Text>
			<Table.ScrollContainer minWidth={760} w="100%">
				<Table highlightOnHover layout="fixed" verticalSpacing={6} aria-label={t("title")}>
					<Table.Thead>
						<Table.Tr>
							<Table.Th w={120}>{t("time")}</Table.Th>
							<Table.Th>{t("site")}</Table.Th>
							<Table.Th w={120}>{t("operation")}</Table.Th>
							<Table.Th w={120}>{t("who")}</Table.Th>
							<Table.Th w={200}>{t("outcome")}</Table.Th>
							<Table.Th>{t("note")}</Table.Th>
						</Table.Tr>
					</Table.Thead>
					<Table.Tbody>
						{entries.slice(0, shown).map((entry) => (
							<Row key={entry.id} entry={entry} onOpen={onOpen} />
						))}
					</Table.Tbody>
				</Table>
			</Table.ScrollContainer>
			{rest > 0 ? (
				<Button variant="default" onClick={() => setShown(shown + portion)}>
					{t("more", { count: Math.min(rest, portion) })}
				</Button>
			) : null}
		</Stack>
	);
}

function Row({ entry, onOpen }: { entry: HistoryEntry; onOpen: (entry: HistoryEntry) => void }) {
	const { t } = useTranslation(["history", "common"]);
	const operation = useHistoryName()(entry.operation);
	return (
		<Table.Tr onClick={() => onOpen(entry)} style={{ cursor: "pointer" }}>
			<Table.Td style={{ whiteSpace: "nowrap" }}>
				<Time at={entry.startedAt} />
			</Table.Td>
			<Clipped text={entry.siteName} />
			<Table.Td>
				<Anchor
					component="button"
					type="button"
					size="sm"
					ta="start"
					aria-label={t("detailsOf", { operation, at: formatTime(entry.startedAt) })}
					onClick={(event) => {
						event.stopPropagation();
						onOpen(entry);
					}}
				>
					{operation}
				</Anchor>
			</Table.Td>
			<Clipped text={entry.username} />
			<Table.Td>
				<OutcomeBadge outcome={entry.outcome} />
			</Table.Td>
			<Clipped text={entry.note} />
		</Table.Tr>
	);
}

/** One line; the rest on hover, and in the details. */
function Clipped({ text }: { text: string }) {
	return (
		<Table.Td>
			<Text size="sm" truncate title={text}>
				{text}
			</Text>
		</Table.Td>
	);
}
