import { Button, Text } from "@mantine/core";
import { IconFilterOff, IconHistory } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { RecordId } from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { dotted } from "@/messages/isolated";
import { HistoryList, type RowId } from "./history-list";
import { type PackageSave, SavePackage } from "./save-trail";

interface CountProps extends Pick<ComponentProps<typeof HistoryList>, "entries" | "damaged" | "more" | "selected"> {
	filtered: boolean;
	onClear: () => void;
	/** Returns the entries of a row: one, or all of a batch. */
	recordsOf: (row: RowId) => Promise<readonly RecordId[]>;
	/** Save of an audit package of the selected entries. */
	save: PackageSave;
}

/** Number of entries that a search found, with the actions on the selected ones. */
export function Count({ entries, damaged, more, selected, filtered, onClear, recordsOf, save }: CountProps) {
	const { t } = useTranslation("history");
	const unreadable = unreadableOf(damaged);
	if (entries.length === 0 && unreadable === 0) return null;
	return (
		<>
			<Text c="dimmed" role="status">
				{dotted(
					t(more ? "countSoFar" : "count", { count: entries.length }),
					unreadable > 0 ? t("damaged.entry", { count: unreadable }) : null,
					selected.length > 0 ? t("selected", { count: selected.length }) : null,
				)}
			</Text>
			{filtered ? (
				<Button variant="subtle" leftSection={<IconFilterOff size={14} aria-hidden />} onClick={onClear}>
					{t("noMatch.clear")}
				</Button>
			) : null}
			{selected.length > 1 ? (
				<SavePackage save={save} records={async () => (await Promise.all(selected.map(recordsOf))).flat()} />
			) : null}
		</>
	);
}

function unreadableOf(damaged: CountProps["damaged"]): number {
	return damaged.reduce((sum, { count }) => sum + count, 0);
}

interface FoundProps extends ComponentProps<typeof HistoryList> {
	filtered: boolean;
	onClear: () => void;
}

export function Found({ filtered, onClear, ...list }: FoundProps) {
	const { t } = useTranslation("history");
	if (list.entries.length > 0 || unreadableOf(list.damaged) > 0) return <HistoryList {...list} />;
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
