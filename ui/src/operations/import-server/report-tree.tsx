import { Box } from "@mantine/core";
import { type KeyboardEvent, memo, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Ticks } from "@/lib/queries/checklist";
import { useVirtualRows } from "@/lib/use-virtual-rows";
import { isOpenMatter } from "./lines";
import { ReportRow } from "./report-row";
import classes from "./report-tree.module.css";
import { parentOf, type Row, step } from "./tree";

/** Rows up to this number are all rendered; of more rows, only the visible ones are. */
const maxRendered = 200;

interface ReportTreeProps {
	rows: readonly Row[];
	/** Index of the row whose details are shown. */
	active: number;
	ticks: Ticks;
	onActive: (id: string) => void;
	onTurn: (id: string) => void;
}

/**
 * Tree of sources, services, and machines. Arrow keys move, and the space bar marks as done. It scrolls with the page.
 */
export const ReportTree = memo(function ReportTree({ rows, active, ticks, onActive, onTurn }: ReportTreeProps) {
	const { t } = useTranslation("importServer");
	const tree = useRef<HTMLDivElement>(null);
	const prefix = useId();
	const { items, height, reveal } = useDrawn(tree, rows, active);

	const drawn = items.length > 0;
	const left = useRef(active > 0);
	useEffect(() => {
		// Scrolls to the active row after the user returns to the report.
		if (!drawn || !left.current) return;
		left.current = false;
		tree.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
	}, [drawn]);

	const tick = (row: Row) => {
		if (row.kind === "line" && isOpenMatter(row.line)) ticks.set(row.id, !ticks.done.has(row.id));
	};
	const go = (index: number) => {
		const row = rows[index];
		if (!row) return;
		onActive(row.id);
		reveal(index);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const row = rows[active];
		if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
		const next = step(rows, active, event.key);
		if (next !== null) go(next);
		else if (event.key === " ") tick(row);
		else if (event.key === "Enter") onTurn(row.id);
		else if (event.key === "ArrowRight" && row.open !== null) row.open ? go(active + 1) : onTurn(row.id);
		else if (event.key === "ArrowLeft") row.open ? onTurn(row.id) : go(parentOf(rows, active));
		else return;
		event.preventDefault();
	};

	return (
		<Box
			ref={tree}
			role="tree"
			aria-label={t("messages")}
			aria-activedescendant={rows[active] ? `${prefix} ${active}` : ""}
			tabIndex={0}
			className={`${classes.tree} ${height === null ? "" : classes.many}`}
			h={height ?? undefined}
			onKeyDown={onKeyDown}
		>
			{items.map(({ index, start }) => {
				const row = rows[index];
				return row ? (
					<ReportRow
						key={row.id}
						id={`${prefix} ${index}`}
						row={row}
						active={index === active}
						ticked={ticks.done.has(row.id)}
						start={start}
						onPick={onActive}
						onTurn={onTurn}
						onTick={ticks.set}
					/>
				) : null;
			})}
		</Box>
	);
});

interface Drawn {
	items: { index: number; start: number | null }[];
	/** Height of all rows; `null` if all rows are rendered. */
	height: number | null;
	reveal: (index: number) => void;
}

/** Returns the rows to render: all of a few; otherwise the visible ones and the active one. */
function useDrawn(tree: React.RefObject<HTMLDivElement | null>, rows: readonly Row[], active: number): Drawn {
	const page = useRef<HTMLElement | null>(null);
	const [above, setAbove] = useState(0);
	// Scroll margins of a row, from its style.
	const [covered, setCovered] = useState({ start: 0, end: 0 });
	const many = rows.length > maxRendered;
	// After every render, because changes above the rows move them.
	useLayoutEffect(() => {
		if (!tree.current) return;
		page.current ??= scrollerOf(tree.current);
		const row = tree.current.firstElementChild;
		const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(row ?? tree.current);
		const [start, end] = [Number.parseFloat(scrollMarginTop) || 0, Number.parseFloat(scrollMarginBottom) || 0];
		setCovered((before) => (before.start === start && before.end === end ? before : { start, end }));
		const { top } = page.current.getBoundingClientRect();
		setAbove(Math.round(tree.current.getBoundingClientRect().top - top + page.current.scrollTop));
	});
	const virtual = useVirtualRows({
		count: many ? rows.length : 0,
		scroller: () => page.current,
		// No keys of our own: new keys cause a layout of all rows.
		rowHeight,
		above,
		covered,
		active,
	});
	if (!many) {
		const reveal = (index: number) => tree.current?.children[index]?.scrollIntoView({ block: "nearest" });
		return { items: rows.map((_, index) => ({ index, start: null })), height: null, reveal };
	}
	return {
		items: virtual.getVirtualItems().map(({ index, start }) => ({ index, start: start - above })),
		height: virtual.getTotalSize(),
		reveal: (index) => virtual.scrollToIndex(index, { align: "auto" }),
	};
}

/** Height of a row in pixels; `report-tree.module.css` sets it in rem. */
function rowHeight(): number {
	return 2.125 * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}

function scrollerOf(element: HTMLElement): HTMLElement {
	for (let around = element.parentElement; around; around = around.parentElement) {
		if (["auto", "scroll"].includes(getComputedStyle(around).overflowY)) return around;
	}
	return document.documentElement;
}
