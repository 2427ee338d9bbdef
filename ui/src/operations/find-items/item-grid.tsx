import { Box, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ItemColumn, ItemQuery, ItemRow, ItemSearchView, Target } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { formatDate, formatExactTime } from "@/lib/format";
import { type FirstRows, useItemRows } from "@/lib/queries/items";
import { useFillHeight } from "@/lib/use-fill-height";
import { useVirtualRows } from "@/lib/use-virtual-rows";
import { typeName } from "./checks";
import classes from "./item-grid.module.css";
import { type ColumnChoice, gridStyle, leastWidth, type Order, shownColumns } from "./values";

interface ItemGridProps {
	target: Target;
	search: ItemSearchView;
	query: ItemQuery;
	first: FirstRows;
	choice: ColumnChoice;
	onOrder: (order: Order) => void;
	onChoice: (choice: ColumnChoice) => void;
	onOpen: (row: ItemRow) => void;
}

export const rowHeight = 32;

/** Height of the line with the row count, with its margin, in pixels. */
const countHeight = 30;

/** Table that renders only visible rows and reads them when they come into view. */
export function ItemGrid(props: ItemGridProps) {
	const { target, search, query, first, choice, onOrder, onChoice, onOpen } = props;
	const { t } = useTranslation("findItems");
	const frame = useRef<HTMLDivElement>(null);
	const height = useFillHeight(frame, countHeight);
	const count = first.data?.matching ?? 0;
	const [active, setActive] = useState(0);
	const follows = useRef(false);
	const drawn = useVirtualRows({
		count,
		scroller: () => frame.current,
		rowHeight: () => rowHeight,
		active,
		atLeast: Math.floor(height / rowHeight),
	});
	const rows = useItemRows(target, search, query, first, {
		first: drawn.range?.startIndex ?? 0,
		last: drawn.range?.endIndex ?? 0,
	});
	const asked = JSON.stringify(query);
	const begun = useRef(asked);
	useEffect(() => {
		// A new query starts at its first row.
		if (begun.current === asked) return;
		begun.current = asked;
		setActive(0);
		drawn.scrollToOffset(0);
	}, [asked, drawn]);
	useEffect(() => {
		// The row exists only after this render.
		if (follows.current) focusRow(frame.current, active);
		follows.current = false;
	}, [active]);

	const goTo = (index: number) => {
		const next = Math.min(Math.max(index, 0), count - 1);
		drawn.scrollToIndex(next);
		if (next === active) focusRow(frame.current, next);
		follows.current = next !== active;
		setActive(next);
	};
	const openRow = (index: number | null) => {
		const row = index === null ? null : rows.row(index);
		if (row) onOpen(row);
	};
	const move = (event: KeyboardEvent) => {
		const index = rowOf(event.target);
		if (index === null) return;
		const page = Math.max(1, Math.floor(height / rowHeight) - 2);
		if (event.key === "Enter") openRow(index);
		if (event.key === "ArrowUp" && index === 0) {
			event.preventDefault();
			frame.current?.querySelector<HTMLElement>("[role=columnheader] [tabindex='0']")?.focus();
			return;
		}
		const to = { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + page, PageUp: index - page }[event.key];
		const target = event.key === "Home" ? 0 : event.key === "End" ? count - 1 : to;
		if (target === undefined) return;
		event.preventDefault();
		goTo(target);
	};
	const columns = useMemo(() => shownColumns(choice), [choice]);
	if (rows.error) return <ProblemNotice problem={rows.error} onRetry={rows.retry} />;
	return (
		<Box
			ref={frame}
			className={classes.frame ?? ""}
			role="grid"
			aria-label={t("table")}
			aria-rowcount={count + 1}
			aria-colcount={columns.length}
			aria-busy={first.isPlaceholderData}
			style={gridStyle(choice)}
			mah={height}
		>
			<GridHead
				choice={choice}
				order={query}
				onOrder={onOrder}
				onChoice={onChoice}
				onLeave={() => (count > 0 ? goTo(active) : undefined)}
			/>
			<Box
				className={classes.body ?? ""}
				role="rowgroup"
				h={drawn.getTotalSize()}
				onClick={(event) => openRow(rowOf(event.target))}
				onFocus={(event) => setActive(rowOf(event.target) ?? active)}
				onKeyDown={move}
			>
				{drawn.getVirtualItems().map(({ index, start }) => (
					<GridRow
						key={index}
						row={rows.row(index)}
						index={index}
						start={start}
						columns={columns}
						takesFocus={index === active}
					/>
				))}
			</Box>
		</Box>
	);
}

function focusRow(frame: HTMLElement | null, index: number): void {
	frame?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
}

interface GridHeadProps {
	choice: ColumnChoice;
	order: Order;
	onOrder: (order: Order) => void;
	onChoice: (choice: ColumnChoice) => void;
	/** Moves the focus down to the rows. */
	onLeave: () => void;
}

/** Change of a column width by one key press, in pixels. */
const step = 24;

/** Column headings. One tab stop; arrow keys move between headings, and with Shift change the width. */
function GridHead({ choice, order, onOrder, onChoice, onLeave }: GridHeadProps) {
	const columns = shownColumns(choice);
	const head = useRef<HTMLDivElement>(null);
	const [held, setHeld] = useState<ItemColumn | null>(null);
	const reachable = held !== null && columns.includes(held) ? held : columns[0];
	const resize = (column: ItemColumn, width: number) =>
		onChoice({ ...choice, widths: { ...choice.widths, [column]: Math.max(leastWidth, Math.round(width)) } });
	const keys = (event: KeyboardEvent<HTMLElement>, place: number) => {
		const cell = event.currentTarget.closest<HTMLElement>("[role=columnheader]");
		const column = columns[place];
		const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (event.key === "ArrowDown") {
			event.preventDefault();
			onLeave();
		} else if (side && event.shiftKey && cell && column) {
			event.preventDefault();
			resize(column, cell.offsetWidth + side * step);
		} else if (side) {
			event.preventDefault();
			const next = columns[place + side];
			if (next) head.current?.querySelector<HTMLElement>(`[data-column="${next}"]`)?.focus();
		}
	};
	return (
		<Box ref={head} className={`${classes.row} ${classes.head}`} role="row" aria-rowindex={1}>
			{columns.map((column, place) => (
				<Heading
					key={column}
					column={column}
					place={place}
					order={order}
					reachable={column === reachable}
					onFocus={() => setHeld(column)}
					onKeyDown={(event) => keys(event, place)}
					onOrder={onOrder}
					onResize={(width) => resize(column, width)}
				/>
			))}
		</Box>
	);
}

interface HeadingProps {
	column: ItemColumn;
	place: number;
	order: Order;
	reachable: boolean;
	onFocus: () => void;
	onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
	onOrder: (order: Order) => void;
	onResize: (width: number) => void;
}

function Heading({ column, place, order, reachable, onFocus, onKeyDown, onOrder, onResize }: HeadingProps) {
	const { t } = useTranslation("findItems");
	const sorted = order.column === column;
	const Icon = order.descending ? IconChevronDown : IconChevronUp;
	const drag = (event: PointerEvent<HTMLElement>) => {
		const cell = event.currentTarget.closest<HTMLElement>("[role=columnheader]");
		if (event.buttons !== 1 || !cell) return;
		onResize(event.clientX - cell.getBoundingClientRect().left);
	};
	return (
		<Box
			className={classes.heading ?? ""}
			role="columnheader"
			aria-colindex={place + 1}
			aria-sort={sorted ? (order.descending ? "descending" : "ascending") : "none"}
		>
			<UnstyledButton
				className={classes.sort ?? ""}
				data-column={column}
				tabIndex={reachable ? 0 : -1}
				aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
				onFocus={onFocus}
				onKeyDown={onKeyDown}
				onClick={() => onOrder({ column, descending: sorted && !order.descending })}
			>
				<span className={classes.title}>{t(`column.${column}`)}</span>
				{sorted ? <Icon className={classes.arrow} size={14} aria-hidden /> : null}
			</UnstyledButton>
			<Box
				className={classes.edge ?? ""}
				aria-hidden
				onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
				onPointerMove={drag}
			/>
		</Box>
	);
}

/** Plain elements: hundreds of cells are rendered at once, and Mantine components process style properties first. */
const Plain = "div";

interface GridRowProps {
	/** `null` while the row is loading. */
	row: ItemRow | null;
	index: number;
	/** Distance from the top, in pixels. */
	start: number;
	columns: readonly ItemColumn[];
	takesFocus: boolean;
}

/** Returns the index of the row that contains an event target. */
export function rowOf(target: EventTarget): number | null {
	const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
	return row ? Number(row.dataset.index) : null;
}

/** Memoized, because each key press in the search field would render dozens of rows. */
export const GridRow = memo(function GridRow({ row, index, start, columns, takesFocus }: GridRowProps) {
	const { t } = useTranslation("findItems");
	return (
		<Plain
			className={`${classes.row} ${classes.item}`}
			role="row"
			aria-rowindex={index + 2}
			aria-busy={row === null}
			data-index={index}
			style={{ height: rowHeight, transform: `translateY(${start}px)` }}
			tabIndex={takesFocus ? 0 : -1}
		>
			{columns.map((column, place) => {
				const text = row ? cellText(t, row, column) : "";
				const title = row ? cellTitle(text, row, column) : undefined;
				const end = column === "location" || column === "path" ? lastFolderAt(text) : null;
				const cell = { role: "gridcell", "aria-colindex": place + 1, title };
				if (end === null) {
					return (
						<Plain key={column} className={classes.cell ?? ""} {...cell}>
							{text}
						</Plain>
					);
				}
				return (
					<Plain key={column} className={`${classes.cell} ${classes.parted}`} {...cell} aria-label={text}>
						<span className={classes.start}>{text.slice(0, end)}</span>
						<span className={classes.end}>{text.slice(end)}</span>
					</Plain>
				);
			})}
		</Plain>
	);
});

function cellText(t: TFunction<"findItems">, row: ItemRow, column: ItemColumn): string {
	switch (column) {
		case "type":
			return typeName(t, row.type);
		case "isManaged":
		case "systemManaged":
			return row[column] === null ? t("unsaid") : t(row[column] ? "yes" : "no");
		case "modified":
		case "created":
			return row[column] === null ? t("unsaid") : formatDate(row[column]);
		default:
			return row[column] || t("unsaid");
	}
}

/** Returns the tooltip of a cell: its full text, or the exact time of a date. */
function cellTitle(text: string, row: ItemRow, column: ItemColumn): string {
	const at = column === "modified" || column === "created" ? row[column] : null;
	return at === null ? text : formatExactTime(at);
}

/**
 * Returns the index of the last folder of a path, which stays visible when the path is shortened; `null` if little
 * precedes it.
 */
export function lastFolderAt(text: string): number | null {
	const at = text.search(/[/\\][^/\\]+[/\\]?$/);
	return at < 4 ? null : at;
}
