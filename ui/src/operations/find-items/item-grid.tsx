import { Box, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DataItem } from "@/bridge";
import { formatTime } from "@/lib/format";
import classes from "./item-grid.module.css";
import { type Column, columns, type Order } from "./order";

interface ItemGridProps {
	items: readonly DataItem[];
	order: Order;
	onOrder: (order: Order) => void;
	onOpen: (item: DataItem) => void;
}

const rowHeight = 34;

/** Draws only the rows that can be seen: a hundred thousand are as quick as a hundred. */
export function ItemGrid({ items, order, onOrder, onOpen }: ItemGridProps) {
	const { t } = useTranslation("findItems");
	const frame = useRef<HTMLDivElement>(null);
	const rows = useVirtualizer({
		count: items.length,
		getScrollElement: () => frame.current,
		estimateSize: () => rowHeight,
		overscan: 8,
	});
	const move = (event: KeyboardEvent, index: number) => {
		const all = items.length;
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -all, End: all }[event.key];
		const item = items[index];
		if (event.key === "Enter" && item) onOpen(item);
		if (step === undefined) return;
		event.preventDefault();
		const next = Math.min(Math.max(index + step, 0), all - 1);
		rows.scrollToIndex(next);
		// The row is drawn once the frame has moved.
		requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
	};
	const first = rows.getVirtualItems()[0]?.index ?? 0;
	return (
		<Box
			ref={frame}
			className={classes.frame ?? ""}
			role="grid"
			aria-label={t("table")}
			aria-rowcount={items.length + 1}
		>
			<Box className={`${classes.row} ${classes.head}`} role="row" aria-rowindex={1}>
				{columns.map((column) => (
					<Heading key={column} column={column} order={order} onOrder={onOrder} />
				))}
			</Box>
			<Box className={classes.body ?? ""} role="rowgroup" h={rows.getTotalSize()}>
				{rows.getVirtualItems().map(({ index, start, key }) => {
					const item = items[index];
					if (!item) return null;
					return (
						<Box
							key={key}
							className={`${classes.row} ${classes.item}`}
							role="row"
							aria-rowindex={index + 2}
							data-index={index}
							h={rowHeight}
							style={{ transform: `translateY(${start}px)` }}
							tabIndex={index === first ? 0 : -1}
							onClick={() => onOpen(item)}
							onKeyDown={(event) => move(event, index)}
						>
							{columns.map((column) => (
								<Box key={column} className={classes.cell ?? ""} role="gridcell" title={titleOf(item, column)}>
									<Value item={item} column={column} />
								</Box>
							))}
						</Box>
					);
				})}
			</Box>
		</Box>
	);
}

function Heading({ column, order, onOrder }: Pick<ItemGridProps, "order" | "onOrder"> & { column: Column }) {
	const { t } = useTranslation("findItems");
	const sorted = order.column === column;
	const Icon = order.descending ? IconChevronDown : IconChevronUp;
	return (
		<Box role="columnheader" aria-sort={sorted ? (order.descending ? "descending" : "ascending") : "none"}>
			<UnstyledButton
				className={classes.sort ?? ""}
				onClick={() => onOrder({ column, descending: sorted && !order.descending })}
			>
				{t(`column.${column}`)}
				{sorted ? <Icon size={14} aria-hidden /> : null}
			</UnstyledButton>
		</Box>
	);
}

function Value({ item, column }: { item: DataItem; column: Column }) {
	const { t } = useTranslation("findItems");
	switch (column) {
		case "isManaged":
			return item.isManaged === null ? t("unsaid") : t(item.isManaged ? "yes" : "no");
		case "modified":
			return item.modified === null ? t("unsaid") : formatTime(item.modified);
		default:
			return item[column] || t("unsaid");
	}
}

/** What is cut off is shown on hover. */
function titleOf(item: DataItem, column: Column): string | undefined {
	const value = item[column];
	return typeof value === "string" ? value : undefined;
}
