import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import type { Key } from "react";

interface VirtualRows {
	count: number;
	/** What they scroll in: a frame of their own, or the page. */
	scroller: () => HTMLElement | null;
	rowHeight: (index: number) => number;
	/** Its own keys move a row's elements with it. Without, rows of one height are only filled anew. */
	keyOf?: (index: number) => Key;
	/** The row that has the focus stays, or the focus would be lost when it is scrolled out of sight. */
	active?: number;
	/** Rows drawn at least, before a frame that grows with them is measured. */
	atLeast?: number;
	/** Height above the first row, in what they scroll in. */
	above?: number;
	/** Height that something else covers at the start and the end of what they scroll in. */
	covered?: { start: number; end: number };
}

/** Draws only the rows of a long list that are in sight. */
export function useVirtualRows(rows: VirtualRows) {
	const { count, scroller, rowHeight, keyOf, active = -1, atLeast = 0, above = 0, covered } = rows;
	return useVirtualizer({
		count,
		getScrollElement: scroller,
		estimateSize: rowHeight,
		...(keyOf ? { getItemKey: keyOf } : {}),
		scrollMargin: above,
		scrollPaddingStart: covered?.start ?? 0,
		scrollPaddingEnd: covered?.end ?? 0,
		overscan: 8,
		rangeExtractor: (range) => {
			const endIndex = Math.max(range.endIndex, range.startIndex + atLeast);
			const drawn = defaultRangeExtractor({ ...range, endIndex });
			if (active < 0 || active >= count || drawn.includes(active)) return drawn;
			return [...drawn, active].sort((one, other) => one - other);
		},
	});
}
