import { Box, Table } from "@mantine/core";
import { Fragment, type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Key, Kind } from "@/bridge";
import { useFillHeight } from "@/lib/use-fill-height";
import { useVirtualRows } from "@/lib/use-virtual-rows";
import { Board } from "./board";
import { DifferenceRow, type Differing, placed, type Titles } from "./difference-row";

/** Number of rows that are all rendered. If there are more, they scroll in a frame and only the visible ones are. */
const maxRendered = 200;
/** Height of the column headings, which stay in view, in pixels. */
const headHeight = 29;
/** Heights before a row is measured, in pixels. Facts of a row are below each other in a narrow window. */
const heightOf = (kind: Line<Differing>["kind"]) =>
	({ group: 29, row: window.innerWidth > 1000 ? 49 : 134, opened: 240 })[kind];

/** Height of a frame in a form, which goes on below it, in pixels. */
const heightInForm = 400;

type Line<D> = { id: string } & (
	| { kind: "group"; of: Kind }
	| { kind: "row"; difference: D }
	| { kind: "opened"; difference: D }
);

const idOf = (key: Key) => JSON.stringify([key.kind, key.place, key.name]);

/** Returns the lines of the table: a heading for each kind, its differences, and the details of the open one. */
function linesOf<D extends Differing>(shown: readonly D[], opened: string | null): Line<D>[] {
	return shown.flatMap((difference, place) => {
		const { kind } = difference.key;
		const id = idOf(difference.key);
		const lines: Line<D>[] = shown[place - 1]?.key.kind === kind ? [] : [{ kind: "group", id: kind, of: kind }];
		lines.push({ kind: "row", id, difference });
		if (id === opened) lines.push({ kind: "opened", id: `opened ${id}`, difference });
		return lines;
	});
}

interface DifferenceTableProps<D extends Differing> {
	label: string;
	titles: Titles;
	shown: readonly D[];
	/** Columns after both values. */
	more?: { heads: readonly string[]; cells: (difference: D) => ReactNode };
	/** Renders what a row opens to. Without it, rows do not open. */
	details?: (difference: D) => ReactNode;
}

/** Differences by kind. Tab stops at one row that opens, arrow keys move to the others. */
export function DifferenceTable<D extends Differing>(props: DifferenceTableProps<D>) {
	const { label, titles, shown, more, details } = props;
	const { t } = useTranslation(["changes", "common"]);
	const frame = useRef<HTMLDivElement>(null);
	const room = useFillHeight(frame);
	const height = titles.isImport ? heightInForm : room;
	const [opened, open] = useState<string | null>(null);
	const [active, setActive] = useState(0);
	const follows = useRef(false);
	const hasFocus = useRef(false);
	const lines = useMemo(() => linesOf(shown, opened), [shown, opened]);
	const stop = rowAt(lines, active);
	const hasFrame = lines.length > maxRendered;
	const virtual = useVirtualRows({
		count: hasFrame ? lines.length : 0,
		scroller: () => frame.current,
		rowHeight: (index) => heightOf(lines[index]?.kind ?? "row"),
		keyOf: useCallback((index: number) => lines[index]?.id ?? index, [lines]),
		active: [stop, lines.findIndex(({ kind }) => kind === "opened")],
		covered: { start: headHeight, end: 0 },
	});
	const measure = hasFrame ? virtual.measureElement : null;
	const turn = useCallback((key: Key) => open((before) => (before === idOf(key) ? null : idOf(key))), []);
	useEffect(() => {
		// A row that is accepted leaves the table, and the focus would be lost with it.
		const isGone = lines.length > 0 && hasFocus.current && document.activeElement === document.body;
		const row = follows.current || isGone ? frame.current?.querySelector(`[data-index="${stop}"]`) : null;
		row?.querySelector("button")?.focus({ preventScroll: true });
		// `scrollToIndex` corrects its target when rows on the way are measured; after `scrollIntoView`, they would move
		// the row out of view.
		if (row && hasFrame) virtual.scrollToIndex(stop);
		else row?.scrollIntoView({ block: "nearest" });
		follows.current = false;
	}, [lines, stop, hasFrame, virtual]);

	const move = (event: KeyboardEvent<HTMLElement>) => {
		const index = indexOf(event.target);
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -lines.length, End: lines.length }[
			event.key
		];
		if (index === null || step === undefined) return;
		event.preventDefault();
		follows.current = true;
		setActive(rowAt(lines, index + step, Math.sign(step)));
	};
	const heads = [t("change"), t("what"), titles.from, titles.to, ...(more?.heads ?? []), ...(details ? [""] : [])];
	const all = lines.map((_, index) => ({ index, start: 0, end: 0 }));
	const drawn = hasFrame ? virtual.getVirtualItems() : all;
	const below = hasFrame ? virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0) : 0;
	return (
		<Box
			onKeyDown={move}
			onFocus={({ target }) => {
				hasFocus.current = true;
				setActive((before) => indexOf(target) ?? before);
			}}
			onBlur={({ relatedTarget }) => {
				if (relatedTarget) hasFocus.current = false;
			}}
		>
			<Board
				label={label}
				heads={heads}
				kind="changes"
				{...(details ? { role: "grid" } : {})}
				rowCount={hasFrame ? lines.length + 1 : undefined}
				frame={{ ref: frame, height: hasFrame ? height : null, isStop: details === undefined }}
			>
				{drawn.map(({ index, start }, place) => {
					const line = lines[index];
					if (!line) return null;
					return (
						<Fragment key={line.id}>
							<Space height={start - (drawn[place - 1]?.end ?? 0)} />
							{line.kind === "group" ? (
								<Table.Tr {...placed(index, measure)}>
									<Table.Th colSpan={heads.length} scope="rowgroup">
										{t(`common:changesFile.kinds.${line.of}`)}
									</Table.Th>
								</Table.Tr>
							) : null}
							{line.kind === "row" ? (
								<DifferenceRow
									titles={titles}
									difference={line.difference}
									cells={more?.cells}
									opened={idOf(line.difference.key) === opened}
									isStop={index === stop}
									onOpen={details ? turn : null}
									index={index}
									measure={measure}
								/>
							) : null}
							{line.kind === "opened" ? (
								<Table.Tr {...placed(index, measure)}>
									<Table.Td colSpan={heads.length}>{details?.(line.difference)}</Table.Td>
								</Table.Tr>
							) : null}
						</Fragment>
					);
				})}
				<Space height={below} />
			</Board>
		</Box>
	);
}

/** Room of the rows that are not rendered. */
function Space({ height }: { height: number }) {
	return height > 0 ? <tr aria-hidden style={{ height, border: 0 }} /> : null;
}

/** Returns the index of the row whose button has the focus; `null` for other elements. */
function indexOf(target: EventTarget): number | null {
	const button = target instanceof HTMLElement && target.matches("[aria-expanded]") ? target : null;
	const index = button?.closest("[data-index]")?.getAttribute("data-index");
	return index ? Number(index) : null;
}

/** Returns the index of the row at or after a line in a direction, or else of the nearest one before it. */
function rowAt(lines: readonly Line<Differing>[], index: number, direction = 1): number {
	const from = Math.min(Math.max(index, 0), lines.length - 1);
	const isRow = (at: number) => lines[at]?.kind === "row";
	for (let at = from; at >= 0 && at < lines.length; at += direction) if (isRow(at)) return at;
	for (let at = from; at >= 0 && at < lines.length; at -= direction) if (isRow(at)) return at;
	return 0;
}
