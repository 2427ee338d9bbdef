import { type RefObject, useEffect, useRef } from "react";
import { type Place, useNavigation } from "./navigation";

/**
 * The heading of a page. Whoever moves to the page is there with the keyboard, and a screen reader reads the heading,
 * unless a field of the page or a dialog has taken the focus, or another part of the same page was chosen within it.
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
		// Where the page is scrolled to after Back stays.
		heading.current?.focus({ preventScroll: true });
	}, [place, move]);
	return heading;
}

function isTaken(focused: Element | null): boolean {
	const page = focused?.closest("main, [aria-modal=true]");
	return page != null && page !== focused;
}
