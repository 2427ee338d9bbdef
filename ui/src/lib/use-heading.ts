import { type RefObject, useEffect, useRef } from "react";
import { type Place, useNavigation } from "./navigation";

/**
 * Returns a ref for the heading of a page. After a navigation, the heading gets the focus, so that screen readers
 * announce the page, unless a field or dialog already has it or only another part of the same page was selected.
 */
export function useHeading(): RefObject<HTMLHeadingElement | null> {
	const { place, move } = useNavigation();
	const heading = useRef<HTMLHeadingElement>(null);
	const shown = useRef<Place | null>(null);
	useEffect(() => {
		const isPart = shown.current !== null && JSON.stringify(shown.current) !== JSON.stringify(place);
		shown.current = place;
		const last = move.current;
		if (!last || last.from === place) return;
		move.current = null;
		if ((isPart || document.activeElement !== last.focused) && isTaken(document.activeElement)) return;
		// Keeps the scroll position after Back.
		heading.current?.focus({ preventScroll: true });
	}, [place, move]);
	return heading;
}

function isTaken(focused: Element | null): boolean {
	const page = focused?.closest("main, [aria-modal=true]");
	return page != null && page !== focused;
}
