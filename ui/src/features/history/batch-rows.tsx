import { Box, Text, VisuallyHidden } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconPlayerPause } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "@/bridge";
import { OutcomeIcon } from "@/components/outcome";
import { outcomeNow } from "@/lib/history-text";
import { useBusySites } from "@/lib/runs";
import { briefly, withoutPages, withReason } from "./brief-summary";
import { type BatchLine, columns, completed, outcomeOfBatch, type UnsentLine } from "./history-lines";
import classes from "./history-list.module.css";
import { EntryRow, type Openable, type Placed } from "./history-rows";

type BatchProps = Openable & Omit<BatchLine, "kind" | "isOpen"> & { "aria-expanded": boolean; "aria-level": number };

/** Row of a batch, which expands to its entries. */
export function Batch({ entry, batch, ...place }: BatchProps) {
	const { t } = useTranslation("history");
	const { t: common } = useTranslation("common");
	const outcome = outcomeOfBatch(batch);
	const word = common(`outcome.${outcome}`);
	const summary = withReason(t("batch.completed", { done: completed(batch), total: batch.size }), {
		reason: entry.reason,
	});
	const Chevron = place["aria-expanded"] ? IconChevronDown : IconChevronRight;
	return (
		<EntryRow
			entry={entry}
			place={place}
			outcome={outcome}
			status={word}
			statusTitle={word}
			summaryTitle={summary}
			sign={<Chevron size={14} aria-hidden style={{ verticalAlign: "-2px", marginInlineEnd: 4 }} />}
		>
			{summary}
		</EntryRow>
	);
}

/** Row of an entry in an expanded batch, without what the row of the batch shows. */
export function BatchEntry({ entry, ...place }: Openable & { entry: HistoryEntry; "aria-level": number }) {
	const { t: common } = useTranslation("common");
	const outcome = outcomeNow(entry, useBusySites());
	const word = common(`outcome.${outcome}`);
	return (
		<Box className={`${classes.line} ${classes.item}`} role="row" {...place}>
			<Box role="gridcell" title={word} style={{ lineHeight: 0 }}>
				<OutcomeIcon outcome={outcome} />
				<VisuallyHidden>{word}</VisuallyHidden>
			</Box>
			<Box
				className={classes.cut ?? ""}
				role="gridcell"
				aria-colspan={columns.length - 1}
				title={withoutPages(common, entry)}
			>
				{briefly(common, entry) || word}
			</Box>
		</Box>
	);
}

/** Row with the number of requests that were not sent, which have no entries. */
export function Unsent({ count, ...place }: Placed & Pick<UnsentLine, "count"> & { "aria-level": number }) {
	const { t } = useTranslation("history");
	return (
		<Box className={`${classes.line} ${classes.item}`} role="row" {...place}>
			<Box role="gridcell" aria-colspan={columns.length} style={{ display: "contents" }}>
				<IconPlayerPause size={16} aria-hidden />
				<Text span inherit c="dimmed">
					{t("batch.unsent", { count })}
				</Text>
			</Box>
		</Box>
	);
}
