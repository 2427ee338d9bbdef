import { Box, Text, VisuallyHidden } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconPlayerPause } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "@/bridge";
import { OutcomeIcon } from "@/components/outcome";
import { Time } from "@/components/time";
import { formatDateTime, formatNumber } from "@/lib/format";
import { outcomeNow, useEntryName } from "@/lib/history-text";
import { useRuns } from "@/lib/runs";
import { whoText } from "@/lib/summary-text";
import { useTargetName } from "@/lib/target-name";
import { briefly, withoutPages, withReason } from "./brief-summary";
import { type BatchLine, columns, completed, outcomeOfBatch, type UnsentLine } from "./history-lines";
import classes from "./history-list.module.css";
import type { Openable, Placed } from "./history-rows";

type BatchProps = Openable & Omit<BatchLine, "kind" | "isOpen"> & { "aria-expanded": boolean; "aria-level": number };

/** Several requests of one run, in one row that opens. */
export function Batch({ entry, batch, ...place }: BatchProps) {
	const { t } = useTranslation("history");
	const { t: common } = useTranslation("common");
	const operation = useEntryName()(entry);
	const site = useTargetName()(entry) || t("allSites");
	const outcome = outcomeOfBatch(batch);
	const who = whoText(entry);
	const [done, total] = [formatNumber(completed(batch)), formatNumber(batch.size)];
	const summary = withReason(t("batch.completed", { done, total }), entry.reason);
	const Chevron = place["aria-expanded"] ? IconChevronDown : IconChevronRight;
	return (
		<Box
			className={`${classes.line} ${classes.entry}`}
			role="row"
			aria-label={t("detailsOf", { operation, site, at: formatDateTime(entry.startedAt) })}
			{...place}
		>
			<Box className={classes.time ?? ""} role="gridcell">
				<Time at={entry.startedAt} of="day" />
			</Box>
			<Box className={classes.outcome ?? ""} role="gridcell" title={common(`outcome.${outcome}`)}>
				<OutcomeIcon outcome={outcome} />
				<VisuallyHidden>{common(`outcome.${outcome}`)}</VisuallyHidden>
			</Box>
			<Box className={`${classes.cut} ${classes.operation}`} role="gridcell" title={operation}>
				<Chevron size={14} aria-hidden style={{ verticalAlign: "-2px", marginInlineEnd: 4 }} />
				{operation}
			</Box>
			<Box className={`${classes.cut} ${classes.target}`} role="gridcell" title={site}>
				{site}
			</Box>
			<Box className={`${classes.cut} ${classes.who}`} role="gridcell" title={who}>
				{who}
			</Box>
			<Box className={`${classes.cut} ${classes.summary}`} role="gridcell" title={summary}>
				{summary}
			</Box>
		</Box>
	);
}

/** One entry of an opened batch. What it shares with the others stands in the row of the batch. */
export function BatchEntry({ entry, ...place }: Openable & { entry: HistoryEntry; "aria-level": number }) {
	const { t: common } = useTranslation("common");
	const outcome = outcomeNow(entry, useRuns());
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

/** How many requests of an opened batch were not sent, which left no entries. */
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
