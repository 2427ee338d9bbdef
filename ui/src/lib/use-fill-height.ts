import { type RefObject, useEffect, useState } from "react";

/** Below this the page scrolls instead. */
export const least = 220;
/** The space that pages leave below their last part. */
const margin = 33;

/**
 * The height that is left for an element down to the end of the page, so that only the element scrolls.
 * `below`: the height of what stands below it.
 */
export function useFillHeight(element: RefObject<HTMLElement | null>, below = 0): number {
	return Math.max(least, useRoom(element, below).height);
}

interface Room {
	/** May be less than nothing. */
	height: number;
	/** Where the element begins in what its page scrolls. */
	top: number;
	/** How much of the page the bar above it covers. */
	covered: number;
}

/** The room for an element down to the end of the page. */
export function useRoom(element: RefObject<HTMLElement | null>, below = 0): Room {
	const [room, setRoom] = useState<Room>({ height: least, top: 0, covered: 0 });
	useEffect(() => {
		const frame = element.current;
		const page = frame?.closest("main");
		if (!frame || !page) return;
		const measure = () => {
			const top = frame.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop;
			const { paddingTop, paddingBottom } = getComputedStyle(page);
			const height = Math.floor(page.clientHeight - Number.parseFloat(paddingBottom || "0") - top - below - margin);
			const next = { height, top, covered: Number.parseFloat(paddingTop || "0") };
			setRoom((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
		};
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(page);
		// What stands above the element grows and shrinks.
		if (page.firstElementChild) observer.observe(page.firstElementChild);
		return () => observer.disconnect();
	}, [element, below]);
	return room;
}
