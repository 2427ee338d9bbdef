import { Button, Group, Stack, Text } from "@mantine/core";
import { IconFilterOff, IconHistory } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { DamagedEntry, HistoryEntry, RecordId } from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { HistoryList } from "./history-list";

interface FoundProps {
	entries: readonly HistoryEntry[];
	damaged: readonly DamagedEntry[];
	/** Whether there are older ones that were not read yet. */
	more: boolean;
	filtered: boolean;
	onClear: () => void;
	/** The entry whose details are shown. */
	open: RecordId | null;
	onOpen: (entry: HistoryEntry) => void;
	onEnd: () => void;
}

/** What a search found, or why there is nothing. */
export function Found({ entries, damaged, more, filtered, onClear, open, onOpen, onEnd }: FoundProps) {
	const { t } = useTranslation("history");
	const unreadable = damaged.reduce((sum, { count }) => sum + count, 0);
	if (entries.length > 0 || unreadable > 0) {
		return (
			<Stack gap="xs">
				<Group justify="space-between" mih={30}>
					<Text c="dimmed" role="status">
						{[
							t(more ? "countSoFar" : "count", { count: entries.length }),
							...(unreadable > 0 ? [t("damaged.entry", { count: unreadable })] : []),
						].join(" · ")}
					</Text>
					{filtered ? (
						<Button variant="subtle" leftSection={<IconFilterOff size={14} aria-hidden />} onClick={onClear}>
							{t("noMatch.clear")}
						</Button>
					) : null}
				</Group>
				<HistoryList entries={entries} damaged={damaged} more={more} open={open} onOpen={onOpen} onEnd={onEnd} />
			</Stack>
		);
	}
	if (!filtered) {
		return (
			<EmptyState icon={IconHistory} title={t("empty.title")}>
				{t("empty.body")}
			</EmptyState>
		);
	}
	return (
		<EmptyState
			icon={IconFilterOff}
			title={t("noMatch.title")}
			action={<Button onClick={onClear}>{t("noMatch.all")}</Button>}
		>
			{t("noMatch.body")}
		</EmptyState>
	);
}
