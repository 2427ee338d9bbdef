import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import type { Key } from "react";

interface VirtualRows {
	count: number;
	/** Scroll container: a frame of the list, or the page. */
	scroller: () => HTMLElement | null;
	rowHeight: (index: number) => number;
	/**
	 * Identity of a row, so that its elements move with it. Without it, elements are reused for other rows; only for rows
	 * of one height.
	 */
	keyOf?: (index: number) => Key;
	/**
	 * Indexes of the focused row, and of one with input. They stay rendered, because both would be lost when they are
	 * scrolled out of view.
	 */
	active?: number | readonly number[];
	/** Minimum number of rendered rows, for a frame that grows with its rows and is not measured yet. */
	atLeast?: number;
	/** Height above the first row within the scroll container, in pixels. */
	above?: number;
	/** Height covered by other elements at the start and end of the scroll container, in pixels. */
	covered?: { start: number; end: number };
}

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
			const kept = [active].flat().filter((index) => index >= 0 && index < count);
			return [...new Set([...drawn, ...kept])].sort((one, other) => one - other);
		},
	});
}
