import { Box, Text, VisuallyHidden } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconFileBroken, IconPlayerPause } from "@tabler/icons-react";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, Outcome } from "@/bridge";
import { OutcomeIcon } from "@/components/outcome";
import { Small, Time } from "@/components/text";
import { formatDateTime, formatDayAgo, formatExactTime, formatFullDate } from "@/lib/format";
import { outcomeNow, useEntryName } from "@/lib/history-text";
import { useBusySites } from "@/lib/runs";
import { whoText } from "@/lib/summary-text";
import { useTargetName } from "@/lib/target";
import { briefly, withoutPages, withReason } from "./brief-summary";
import {
	type BatchLine,
	columns,
	completed,
	type DamagedLine,
	type DayLine,
	hasSecondLine,
	outcomeOfBatch,
	type UnsentLine,
} from "./history-lines";
import classes from "./history-list.module.css";

export interface Placed {
	"aria-rowindex": number;
	h: number;
	style: { transform: string };
	"aria-level"?: number;
}

export function Day({ at, count, ...place }: Placed & Omit<DayLine, "kind">) {
	const { t } = useTranslation("history");
	const beside = [formatDayAgo(at), count === null ? null : t("count", { count })].filter((one) => one !== null);
	return (
		<Box className={`${classes.line} ${classes.day}`} role="row" {...place}>
			<Box role="rowheader" aria-colspan={columns.length}>
				<Text span size="xs" fw={600}>
					{formatFullDate(at)}
				</Text>{" "}
				{beside.length > 0 ? <Small span>{beside.join(" · ")}</Small> : null}
			</Box>
		</Box>
	);
}

/** Damaged entries. They cannot be opened, because nothing about them is reliable. */
export function Damaged({ damaged: { count, id, startedAt }, ...place }: Placed & Omit<DamagedLine, "kind">) {
	const { t } = useTranslation("history");
	const known = [startedAt === null ? null : formatExactTime(startedAt), id].filter((one) => one !== null);
	return (
		<Box className={`${classes.line} ${classes.damaged}`} role="row" {...place}>
			<Box role="gridcell" aria-colspan={columns.length} title={t("damaged.title")}>
				<IconFileBroken size={16} aria-hidden />
				<Text span>{[t("damaged.entry", { count }), ...known].join(" · ")}</Text>
			</Box>
		</Box>
	);
}

export interface Openable extends Placed {
	"data-id": string;
	"aria-selected": boolean;
	tabIndex: number;
	onFocus: () => void;
	onMouseDown: (event: MouseEvent) => void;
	onClick: (event: MouseEvent) => void;
	onKeyDown: (event: KeyboardEvent) => void;
}

interface EntryRowProps {
	entry: HistoryEntry;
	place: Openable;
	outcome: Outcome;
	/** Outcome as text, and its tooltip. */
	status: string;
	statusTitle: string;
	/** Tooltip with the full summary. */
	summaryTitle: string;
	/** Shown before the operation. */
	sign?: ReactNode;
	/** Summary; `null` if the row has one line. */
	children: ReactNode;
}

/** Cells that entries and batches have in common. For a batch, `entry` is one of its entries. */
export function EntryRow({ entry, place, outcome, status, statusTitle, summaryTitle, sign, children }: EntryRowProps) {
	const { t } = useTranslation("history");
	const operation = useEntryName()(entry);
	// Entries about settings of the app belong to no site.
	const site = useTargetName()(entry) || t("allSites");
	const who = whoText(entry);
	return (
		<Box
			className={`${classes.line} ${classes.entry} ${children === null ? classes.oneLine : ""}`}
			role="row"
			aria-label={t("detailsOf", { operation, site, at: formatDateTime(entry.startedAt) })}
			{...place}
		>
			<Box className={classes.time ?? ""} role="gridcell">
				<Time at={entry.startedAt} of="day" />
			</Box>
			<Box className={classes.outcome ?? ""} role="gridcell" title={statusTitle}>
				<OutcomeIcon outcome={outcome} />
				<VisuallyHidden>{status}</VisuallyHidden>
			</Box>
			<Box className={`${classes.cut} ${classes.operation}`} role="gridcell" title={operation}>
				{sign}
				{operation}
			</Box>
			<Box className={`${classes.cut} ${classes.target}`} role="gridcell" title={site}>
				{site}
			</Box>
			<Box className={`${classes.cut} ${classes.who}`} role="gridcell" title={who}>
				{who}
			</Box>
			<Box className={`${classes.cut} ${classes.summary}`} role="gridcell" title={summaryTitle}>
				{children}
			</Box>
		</Box>
	);
}

export function Entry({ entry, ...place }: Openable & { entry: HistoryEntry }) {
	const { t } = useTranslation("history");
	const { t: common } = useTranslation("common");
	const outcome = outcomeNow(entry, useBusySites());
	const word = common(`outcome.${outcome}`);
	const status = entry.isResolved ? `${word} (${t("concluded")})` : word;
	const summary = briefly(common, entry);
	return (
		<EntryRow
			entry={entry}
			place={place}
			outcome={outcome}
			status={status}
			statusTitle={entry.isResolved ? t("concludedTitle") : word}
			summaryTitle={withReason(withoutPages(common, entry), entry)}
		>
			{hasSecondLine(entry) ? (
				<>
					{/* Shows the outcome as text if there is room for it. */}
					{summary === "" || entry.isResolved ? <span aria-hidden>{status}</span> : null}
					{summary !== "" && entry.isResolved ? " · " : null}
					{withReason(summary, entry)}
				</>
			) : null}
		</EntryRow>
	);
}

type BatchProps = Openable & Omit<BatchLine, "kind" | "isOpen"> & { "aria-expanded": boolean; "aria-level": number };

/** Row of a batch, which expands to its entries. */
export function Batch({ entry, batch, ...place }: BatchProps) {
	const { t } = useTranslation("history");
	const { t: common } = useTranslation("common");
	const outcome = outcomeOfBatch(batch, entry, useBusySites());
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
