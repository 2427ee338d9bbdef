import { type RefObject, useEffect, useState } from "react";

/** Below this the page scrolls instead. */
const least = 220;
/** The space that pages leave below their last part. */
const margin = 33;

/**
 * The height that is left for an element down to the end of the page, so that only the element scrolls.
 * `below`: the height of what stands below it.
 */
export function useFillHeight(element: RefObject<HTMLElement | null>, below = 0): number {
	const [height, setHeight] = useState(least);
	useEffect(() => {
		const frame = element.current;
		const page = frame?.closest("main");
		if (!frame || !page) return;
		const measure = () => {
			const top = frame.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop;
			const room = page.clientHeight - Number.parseFloat(getComputedStyle(page).paddingBottom || "0");
			setHeight(Math.max(least, Math.floor(room - top - below - margin)));
		};
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(page);
		// What stands above the element grows and shrinks.
		if (page.firstElementChild) observer.observe(page.firstElementChild);
		return () => observer.disconnect();
	}, [element, below]);
	return height;
}
