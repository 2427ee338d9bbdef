import { Box } from "@mantine/core";
import { type KeyboardEvent, memo, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Ticks } from "@/lib/queries/checklist";
import { useVirtualRows } from "@/lib/use-virtual-rows";
import { isOpenMatter } from "./lines";
import { ReportRow } from "./report-row";
import classes from "./report-tree.module.css";
import { parentOf, type Row, step } from "./tree";

/** Up to here everything stands on the page; beyond, only what can be seen is drawn. */
const few = 200;

interface ReportTreeProps {
	rows: readonly Row[];
	/** Index of the row whose details are shown. */
	active: number;
	ticks: Ticks;
	onActive: (id: string) => void;
	onTurn: (id: string) => void;
}

/** Source, service, machine: the arrow keys move in it, the space bar marks as done. It scrolls with the page. */
export const ReportTree = memo(function ReportTree({ rows, active, ticks, onActive, onTurn }: ReportTreeProps) {
	const { t } = useTranslation("importServer");
	const tree = useRef<HTMLDivElement>(null);
	const prefix = useId();
	const { items, height, reveal } = useDrawn(tree, rows, active);

	const drawn = items.length > 0;
	const left = useRef(active > 0);
	useEffect(() => {
		// Whoever comes back to the report finds the row from which they went.
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
	/** Of all rows together; `null` where they stand one below the other. */
	height: number | null;
	reveal: (index: number) => void;
}

/** Which rows are drawn. A few are all drawn; of many, those that the page shows, and the active one. */
function useDrawn(tree: React.RefObject<HTMLDivElement | null>, rows: readonly Row[], active: number): Drawn {
	const page = useRef<HTMLElement | null>(null);
	const [above, setAbove] = useState(0);
	// What stands before the rows, as the style of a row says it.
	const [covered, setCovered] = useState({ start: 0, end: 0 });
	const many = rows.length > few;
	// Whatever changed above the rows has moved them.
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
		// No keys of our own: new keys have all rows laid out anew.
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

/** In pixels, as `report-tree.module.css` says it in rem. */
function rowHeight(): number {
	return 2.125 * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}

/** What scrolls around an element. */
function scrollerOf(element: HTMLElement): HTMLElement {
	for (let around = element.parentElement; around; around = around.parentElement) {
		if (["auto", "scroll"].includes(getComputedStyle(around).overflowY)) return around;
	}
	return document.documentElement;
}
