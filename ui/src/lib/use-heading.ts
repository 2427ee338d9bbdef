import { type RefObject, useEffect, useRef } from "react";
import { useNavigation } from "./navigation";

/**
 * The heading of a page. Whoever moves to the page is there with the keyboard, and a screen reader reads the heading,
 * unless a field of the page or a dialog has taken the focus.
 */
export function useHeading(): RefObject<HTMLHeadingElement | null> {
	const { place, move } = useNavigation();
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => {
		const last = move.current;
		if (!last || last.from === place) return;
		move.current = null;
		if (document.activeElement !== last.focused && isTaken(document.activeElement)) return;
		// Where the page is scrolled to after Back stays.
		heading.current?.focus({ preventScroll: true });
	}, [place, move]);
	return heading;
}

function isTaken(focused: Element | null): boolean {
	const page = focused?.closest("main, [aria-modal=true]");
	return page != null && page !== focused;
}
