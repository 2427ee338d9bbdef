import { type RefObject, useEffect, useState } from "react";

/** Minimum height in pixels; with less room, the page scrolls. */
export const least = 220;
/** Space below the last element of a page, in pixels. */
const margin = 33;

/**
 * Returns the height from an element to the end of the page, so that only the element scrolls. `below`: height of what
 * follows the element.
 */
export function useFillHeight(element: RefObject<HTMLElement | null>, below = 0): number {
	return Math.max(least, useRoom(element, below).height);
}

interface Room {
	/** Can be negative. */
	height: number;
	/** Start of the element within the scrolled content of the page. */
	top: number;
	/** Height of the part of the page that is behind the top bar. */
	covered: number;
}

/** Measures the room from an element to the end of the page. */
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
		// Content above the element can grow and shrink.
		if (page.firstElementChild) observer.observe(page.firstElementChild);
		return () => observer.disconnect();
	}, [element, below]);
	return room;
}
