import { Box, Button, Text, VisuallyHidden } from "@mantine/core";
import { IconFilterOff, IconHistory } from "@tabler/icons-react";
import {
	type ComponentProps,
	type CSSProperties,
	type KeyboardEvent,
	type MouseEvent,
	useEffect,
	useMemo,
	useRef,
	useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { BatchId, HistoryBatch, HistoryEntry, RecordId } from "@/bridge";
import { EmptyState } from "@/components/page";
import { IconButton } from "@/components/text";
import { formatTimeOfDay } from "@/lib/format";
import { useBusySites } from "@/lib/runs";
import { least, useRoom } from "@/lib/use-fill-height";
import { useVirtualRows } from "@/lib/use-virtual-rows";
import { dotted } from "@/messages/isolated";
import { columns, heightOf, idOf, keyOf, type Line, type Listed, linesOf } from "./history-lines";
import classes from "./history-list.module.css";
import { Batch, BatchEntry, Damaged, Day, Entry, Unsent } from "./history-rows";
import { type PackageSave, SavePackage } from "./save-trail";

export type RowId = RecordId | BatchId;

interface HistoryListProps extends Listed {
	/** Row whose details are shown; `null` if none is open. */
	open: RowId | null;
	/** Entry of the link that opened the history. The list scrolls to it. `null` without a link. */
	linked?: RowId | null;
	onOpen: (entry: HistoryEntry) => void;
	onOpenBatch: (batch: HistoryBatch, head: HistoryEntry) => void;
	onUnfold: (batch: BatchId, isOpen: boolean) => void;
	/** Rows selected for an audit package, in the order of the list. */
	selected: readonly RowId[];
	onSelect: (rows: readonly RowId[]) => void;
	/** Called when the end of the list comes into view. */
	onEnd: () => void;
}

/** Returns the element of a row if it is rendered. */
export function rowOf(list: HTMLElement | null, row: RowId | undefined): HTMLElement | null | undefined {
	return list?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row ?? "")}"]`);
}

const noon = new Date(2026, 0, 1, 12).getTime();

/**
 * Entries by day, newest first. While an entry is open, arrow keys open the next one; with Shift, they select. Only
 * visible rows are rendered, so that years of entries stay fast.
 */
export function HistoryList({
	entries,
	batches,
	damaged,
	more,
	opened,
	open,
	linked = null,
	onOpen,
	onOpenBatch,
	onUnfold,
	selected,
	onSelect,
	onEnd,
}: HistoryListProps) {
	const { t } = useTranslation("history");
	const frame = useRef<HTMLDivElement>(null);
	const room = useRoom(frame);
	// The list flows with the page if it has little room, because two nested scroll areas would show little.
	const flows = room.height < least;
	const busy = useBusySites();
	const lines = useMemo(
		() => linesOf({ entries, batches, damaged, more, opened, busy }),
		[entries, batches, damaged, more, opened, busy],
	);
	const hasBatches = lines.some(({ kind }) => kind === "batch");
	const [active, setActive] = useState<RowId | null>(null);
	/** Row at which the selection started. */
	const anchor = useRef<RowId | null>(null);
	const [hasFocus, setHasFocus] = useState(false);
	const activeIndex = active === null ? -1 : lines.findIndex((line) => idOf(line) === active);
	const follows = useRef(false);
	const rows = useVirtualRows({
		count: lines.length,
		scroller: () => (flows ? (frame.current?.closest("main") ?? null) : frame.current),
		rowHeight: (index) => heightOf(lines[index]),
		keyOf: (index) => (lines[index] ? keyOf(lines[index]) : index),
		above: flows ? room.top : 0,
		active: activeIndex,
	});
	const seen = rows.getVirtualItems();
	const last = rows.range?.endIndex ?? 0;
	useEffect(() => {
		// The row exists only after this render.
		if (follows.current && active !== null) rowOf(frame.current, active)?.focus();
		follows.current = false;
	}, [active]);
	const isListed = linked !== null && lines.some((line) => idOf(line) === linked);
	useEffect(() => {
		// Renders the row even if it is out of view.
		if (isListed) setActive(linked);
	}, [linked, isListed]);
	useEffect(() => {
		if (active === null || active !== linked) return;
		rowOf(frame.current, active)?.scrollIntoView({ block: "nearest" });
	}, [active, linked]);
	useEffect(() => {
		if (last >= lines.length - 20) onEnd();
	}, [last, lines.length, onEnd]);

	const show = (line: Line) => {
		if (line.kind === "batch") onOpenBatch(line.batch, line.entry);
		else if (line.kind === "entry" || line.kind === "item") onOpen(line.entry);
	};
	const indexOf = (row: RowId | null) => (row === null ? -1 : lines.findIndex((line) => idOf(line) === row));
	/** Selects the rows between the start of the selection and a line. */
	const selectTo = (index: number, from: RowId | null) => {
		anchor.current = indexOf(anchor.current) < 0 ? from : anchor.current;
		const begin = indexOf(anchor.current);
		const [first, last] = begin < 0 ? [index, index] : [Math.min(begin, index), Math.max(begin, index)];
		// Entries of a selected batch are selected with it.
		const isIn = (line: Line) => !(line.kind === "item" && selectedBatches.has(line.batch));
		const range = lines.slice(first, last + 1);
		const selectedBatches = new Set(range.flatMap((line) => (line.kind === "batch" ? line.batch.id : [])));
		onSelect(range.filter(isIn).flatMap((line) => idOf(line) ?? []));
	};
	/** Adds a row to the selection, or removes it. A new selection starts with the open row. */
	const toggle = (line: Line) => {
		const id = idOf(line);
		if (id === null) return;
		anchor.current = id;
		const before = selected.length > 0 ? selected : open === null ? [] : [open];
		const wanted = before.includes(id) ? before.filter((one) => one !== id) : [...before, id];
		// In the order of the list, without entries of a selected batch.
		const isWanted = (one: Line) => wanted.some((row) => row === idOf(one));
		const isIn = (one: Line) => isWanted(one) && !(one.kind === "item" && wanted.includes(one.batch));
		onSelect(lines.filter(isIn).flatMap((one) => idOf(one) ?? []));
	};
	const choose = (line: Line) => {
		anchor.current = idOf(line);
		if (selected.length > 0) onSelect([]);
		show(line);
	};
	const click = (event: MouseEvent, index: number, line: Line) => {
		if (event.shiftKey) return selectTo(index, open ?? active);
		if (event.ctrlKey || event.metaKey) return toggle(line);
		choose(line);
		// A second click on an open batch collapses it.
		if (line.kind === "batch") onUnfold(line.batch.id, !(line.isOpen && open === line.batch.id));
	};
	const goTo = (line: Line) => {
		follows.current = true;
		setActive(idOf(line));
	};
	const move = (event: KeyboardEvent, index: number, line: Line) => {
		if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			choose(line);
			return;
		}
		if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
			const isOpening = event.key === "ArrowRight";
			if (line.kind === "batch" && line.isOpen !== isOpening) {
				event.preventDefault();
				onUnfold(line.batch.id, isOpening);
			} else if (line.kind === "item" && !isOpening) {
				const head = lines.find((one) => one.kind === "batch" && one.batch.id === line.batch);
				if (head) goTo(head);
			}
			return;
		}
		const all = lines.length;
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -all, End: all }[event.key];
		if (step === undefined) return;
		event.preventDefault();
		const wanted = Math.min(Math.max(index + step, 0), all - 1);
		// Skips lines that cannot be opened.
		const onwards = step < 0 ? lines.slice(0, wanted + 1).reverse() : lines.slice(wanted);
		const backwards = step < 0 ? lines.slice(wanted) : lines.slice(0, wanted).reverse();
		const next = [...onwards, ...backwards].find((one) => idOf(one) !== null);
		if (!next) return;
		goTo(next);
		if (event.shiftKey) selectTo(lines.indexOf(next), idOf(line));
		else if (open !== null) choose(next);
	};
	const above = (rows.scrollOffset ?? 0) + (flows ? room.covered : 0);
	const inSight = seen.filter(
		({ index, start, end }) =>
			idOf(lines[index]) !== null && start >= above && end <= (rows.scrollOffset ?? 0) + (rows.scrollRect?.height ?? 0),
	);
	const stop =
		(hasFocus && activeIndex >= 0) || inSight.some(({ index }) => index === activeIndex)
			? activeIndex
			: (inSight[0] ?? seen.find(({ index }) => idOf(lines[index]) !== null))?.index;
	return (
		<Box
			ref={frame}
			className={classes.frame ?? ""}
			{...(flows ? {} : { h: room.height })}
			style={{ "--time-width": `${formatTimeOfDay(noon).length}ch` } as CSSProperties}
			role={hasBatches ? "treegrid" : "grid"}
			aria-multiselectable
			aria-label={t("title")}
			aria-rowcount={lines.length + 1}
		>
			{/* The rows are self-explanatory, so only screen readers get column headings. */}
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
						h: heightOf(line),
						style: { transform: `translateY(${start - rows.options.scrollMargin}px)` },
					};
					const level = hasBatches ? { "aria-level": line.kind === "item" || line.kind === "unsent" ? 2 : 1 } : {};
					if (line.kind === "day") return <Day key={key} at={line.at} count={line.count} {...level} {...place} />;
					if (line.kind === "damaged") return <Damaged key={key} damaged={line.damaged} {...level} {...place} />;
					if (line.kind === "unsent") return <Unsent key={key} count={line.count} aria-level={2} {...place} />;
					const id = idOf(line) ?? "";
					const openable = {
						"data-id": id,
						"aria-selected": id === open || selected.includes(id),
						tabIndex: index === stop ? 0 : -1,
						onFocus: () => setActive(id),
						// Prevents the browser from selecting text between two rows.
						onMouseDown: (event: MouseEvent) => event.shiftKey && event.preventDefault(),
						onClick: (event: MouseEvent) => click(event, index, line),
						onKeyDown: (event: KeyboardEvent) => move(event, index, line),
						...place,
					};
					if (line.kind === "batch") {
						const { entry, batch, isOpen } = line;
						return <Batch key={key} entry={entry} batch={batch} aria-expanded={isOpen} aria-level={1} {...openable} />;
					}
					if (line.kind === "item") return <BatchEntry key={key} entry={line.entry} aria-level={2} {...openable} />;
					return <Entry key={key} entry={line.entry} {...level} {...openable} />;
				})}
			</Box>
		</Box>
	);
}

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
				<IconButton label={t("noMatch.clear")} variant="subtle" icon={IconFilterOff} onClick={onClear} />
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
