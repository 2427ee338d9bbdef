import { Box, Text, VisuallyHidden } from "@mantine/core";
import { IconFileBroken } from "@tabler/icons-react";
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DamagedEntry, HistoryEntry, Millis, RecordId } from "@/bridge";
import { OutcomeIcon } from "@/components/outcome";
import { Time } from "@/components/time";
import { formatDateTime, formatDayAgo, formatExactTime, formatFullDate, formatTimeOfDay } from "@/lib/format";
import { outcomeNow, useEntryName } from "@/lib/history-text";
import { useRuns } from "@/lib/runs";
import { whoText } from "@/lib/summary-text";
import { useTargetName } from "@/lib/target-name";
import { least, useRoom } from "@/lib/use-fill-height";
import { useVirtualRows } from "@/lib/use-virtual-rows";
import { briefly, withoutPages } from "./brief-summary";
import classes from "./history-list.module.css";

interface HistoryListProps {
	entries: readonly HistoryEntry[];
	damaged: readonly DamagedEntry[];
	/** Whether there are older ones that were not read yet. */
	more: boolean;
	/** The entry whose details are shown; `null` if none is open. */
	open: RecordId | null;
	onOpen: (entry: HistoryEntry) => void;
	/** Called when the end comes into sight. */
	onEnd: () => void;
}

/** By kind of line: an entry has two lines of text. */
const heights: Record<Line["kind"], number> = { day: 28, entry: 48, damaged: 32 };
const columns = ["time", "outcome", "operation", "site", "who", "summary"] as const;
const noon = new Date(2026, 0, 1, 12).getTime();

/**
 * Newest first, day by day. While an entry is open, the arrow keys open the next one. Draws only what can be seen: years
 * of entries are as quick as a week.
 */
export function HistoryList({ entries, damaged, more, open, onOpen, onEnd }: HistoryListProps) {
	const { t } = useTranslation("history");
	const frame = useRef<HTMLDivElement>(null);
	const room = useRoom(frame);
	// A list that scrolls within a page that scrolls as well would show little of both.
	const flows = room.height < least;
	const lines = useMemo(() => byDay(entries, damaged, more), [entries, damaged, more]);
	const [active, setActive] = useState<RecordId | null>(null);
	const [hasFocus, setHasFocus] = useState(false);
	const activeIndex = lines.findIndex((line) => line.kind === "entry" && line.entry.id === active);
	const follows = useRef(false);
	const rows = useVirtualRows({
		count: lines.length,
		scroller: () => (flows ? (frame.current?.closest("main") ?? null) : frame.current),
		rowHeight: (index) => heights[lines[index]?.kind ?? "entry"],
		keyOf: (index) => (lines[index] ? keyOf(lines[index]) : index),
		above: flows ? room.top : 0,
		active: activeIndex,
	});
	const seen = rows.getVirtualItems();
	const last = rows.range?.endIndex ?? 0;
	useEffect(() => {
		// Now that the line is drawn.
		if (follows.current && active !== null)
			frame.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(active)}"]`)?.focus();
		follows.current = false;
	}, [active]);
	useEffect(() => {
		if (last >= lines.length - 20) onEnd();
	}, [last, lines.length, onEnd]);

	const move = (event: KeyboardEvent, index: number, entry: HistoryEntry) => {
		if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			onOpen(entry);
			return;
		}
		const all = lines.length;
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -all, End: all }[event.key];
		if (step === undefined) return;
		event.preventDefault();
		const wanted = Math.min(Math.max(index + step, 0), all - 1);
		// Only entries can be opened; the lines between them are passed over.
		const onwards = step < 0 ? lines.slice(0, wanted + 1).reverse() : lines.slice(wanted);
		const backwards = step < 0 ? lines.slice(wanted) : lines.slice(0, wanted).reverse();
		const line = [...onwards, ...backwards].find((one) => one.kind === "entry");
		if (!line) return;
		follows.current = true;
		setActive(line.entry.id);
		if (open !== null) onOpen(line.entry);
	};
	const above = (rows.scrollOffset ?? 0) + (flows ? room.covered : 0);
	const inSight = seen.filter(
		({ index, start, end }) =>
			lines[index]?.kind === "entry" &&
			start >= above &&
			end <= (rows.scrollOffset ?? 0) + (rows.scrollRect?.height ?? 0),
	);
	const stop =
		(hasFocus && activeIndex >= 0) || inSight.some(({ index }) => index === activeIndex)
			? activeIndex
			: (inSight[0] ?? seen.find(({ index }) => lines[index]?.kind === "entry"))?.index;
	return (
		<Box
			ref={frame}
			className={classes.frame ?? ""}
			{...(flows ? {} : { h: room.height })}
			style={{ "--time-width": `${formatTimeOfDay(noon).length}ch` } as CSSProperties}
			role="grid"
			aria-label={t("title")}
			aria-rowcount={lines.length + 1}
		>
			{/* Each row says by itself what it holds; only a screen reader asks for the names of the columns. */}
			<VisuallyHidden role="row" aria-rowindex={1}>
				{columns.map((column) => (
					<Box key={column} role="columnheader">
						{t(column)}
					</Box>
				))}
			</VisuallyHidden>
			<Box
				className={classes.body ?? ""}
				role="rowgroup"
				h={rows.getTotalSize()}
				onFocus={() => setHasFocus(true)}
				onBlur={() => setHasFocus(false)}
			>
				{seen.map(({ index, start, key }) => {
					const line = lines[index];
					if (!line) return null;
					const place = {
						"aria-rowindex": index + 2,
						h: heights[line.kind],
						style: { transform: `translateY(${start - rows.options.scrollMargin}px)` },
					};
					if (line.kind === "day") return <Day key={key} at={line.at} count={line.count} {...place} />;
					if (line.kind === "damaged") return <Damaged key={key} damaged={line.damaged} {...place} />;
					return (
						<Entry
							key={key}
							entry={line.entry}
							data-id={line.entry.id}
							aria-selected={line.entry.id === open}
							tabIndex={index === stop ? 0 : -1}
							onFocus={() => setActive(line.entry.id)}
							onClick={() => onOpen(line.entry)}
							onKeyDown={(event) => move(event, index, line.entry)}
							{...place}
						/>
					);
				})}
			</Box>
		</Box>
	);
}

interface Placed {
	"aria-rowindex": number;
	h: number;
	style: { transform: string };
}

function Day({ at, count, ...place }: Placed & Omit<DayLine, "kind">) {
	const { t } = useTranslation("history");
	const beside = [formatDayAgo(at), count === null ? null : t("count", { count })].filter((one) => one !== null);
	return (
		<Box className={`${classes.line} ${classes.day}`} role="row" {...place}>
			<Box role="rowheader" aria-colspan={columns.length}>
				<Text span size="xs" fw={600}>
					{formatFullDate(at)}
				</Text>
				{beside.length > 0 ? (
					<Text span size="xs" c="dimmed" ms="xs">
						{beside.join(" · ")}
					</Text>
				) : null}
			</Box>
		</Box>
	);
}

/** Entries that were damaged on disk. They cannot be opened: nothing about them is certain. */
function Damaged({ damaged: { count, id, startedAt }, ...place }: Placed & { damaged: DamagedEntry }) {
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

interface EntryProps extends Placed {
	entry: HistoryEntry;
	"data-id": RecordId;
	"aria-selected": boolean;
	tabIndex: number;
	onFocus: () => void;
	onClick: () => void;
	onKeyDown: (event: KeyboardEvent) => void;
}

function Entry({ entry, ...place }: EntryProps) {
	const { t } = useTranslation("history");
	const { t: common } = useTranslation("common");
	const operation = useEntryName()(entry);
	const outcome = outcomeNow(entry, useRuns());
	// The program's own settings belong to no site.
	const site = useTargetName()(entry) || t("allSites");
	const word = common(`outcome.${outcome}`);
	const status = entry.isResolved ? `${word} (${t("concluded")})` : word;
	const who = whoText(entry);
	const summary = briefly(common, entry);
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
			<Box className={classes.outcome ?? ""} role="gridcell" title={entry.isResolved ? t("concludedTitle") : word}>
				<OutcomeIcon outcome={outcome} />
				<VisuallyHidden>{status}</VisuallyHidden>
			</Box>
			<Box className={`${classes.cut} ${classes.operation}`} role="gridcell" title={operation}>
				{operation}
			</Box>
			<Box className={`${classes.cut} ${classes.target}`} role="gridcell" title={site}>
				{site}
			</Box>
			<Box className={`${classes.cut} ${classes.who}`} role="gridcell" title={who}>
				{who}
			</Box>
			<Box className={`${classes.cut} ${classes.summary}`} role="gridcell" title={withoutPages(common, entry)}>
				{/* What the icon alone would say is said where there is room for it. */}
				{summary === "" || entry.isResolved ? <span aria-hidden>{status}</span> : null}
				{summary !== "" && entry.isResolved ? " · " : null}
				{summary}
			</Box>
		</Box>
	);
}

/** The heading of a day. `count` is `null` while older entries of it were not read yet. */
interface DayLine {
	kind: "day";
	at: Millis;
	count: number | null;
}

/** A line of the list: the heading of a day, an entry of it, or entries that cannot be read. */
type Line = DayLine | { kind: "entry"; entry: HistoryEntry } | { kind: "damaged"; damaged: DamagedEntry };

/** Stays the same when newer entries come in above the line. */
function keyOf(line: Line): string {
	if (line.kind === "damaged") return `damaged ${line.damaged.id ?? line.damaged.after}`;
	return line.kind === "entry" ? line.entry.id : new Date(line.at).toDateString();
}

/** The entries in their order, each day under its heading, and what is damaged after the entry that it follows. */
function byDay(entries: readonly HistoryEntry[], damaged: readonly DamagedEntry[], more: boolean): Line[] {
	const damagedAfter = (entry: RecordId | null): Line[] =>
		damaged.filter(({ after }) => after === entry).map((one) => ({ kind: "damaged", damaged: one }));
	const lines = damagedAfter(null);
	let day: DayLine | null = null;
	for (const entry of entries) {
		const at = entry.startedAt;
		if (day === null || new Date(day.at).toDateString() !== new Date(at).toDateString()) {
			day = { kind: "day", at, count: 0 };
			lines.push(day);
		}
		day.count = (day.count ?? 0) + 1;
		lines.push({ kind: "entry", entry }, ...damagedAfter(entry.id));
	}
	if (day && more) day.count = null;
	return lines;
}
