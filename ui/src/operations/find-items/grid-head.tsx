import { Box, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ItemColumn } from "@/bridge";
import { type ColumnChoice, leastWidth, type Order, shownColumns } from "./columns";
import classes from "./item-grid.module.css";

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
export function GridHead({ choice, order, onOrder, onChoice, onLeave }: GridHeadProps) {
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
