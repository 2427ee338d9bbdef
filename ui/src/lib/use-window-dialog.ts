import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigation } from "./navigation";

/**
 * State of a dialog that belongs to no page. It closes when the user navigates, because it would cover the new page;
 * the focus then stays on that page instead of returning to the element that opened the dialog.
 */
export function useWindowDialog(
	opened: boolean,
	onClose: () => void,
): { opened: boolean; onClose: () => void; returnFocus: boolean } {
	const { place } = useNavigation();
	const here = useRef(place);
	const [isLeft, setIsLeft] = useState(false);
	if (opened && isLeft) setIsLeft(false);
	const leave = useEffectEvent(() => {
		if (!opened) return;
		setIsLeft(true);
		onClose();
	});
	useEffect(() => {
		if (here.current === place) return;
		here.current = place;
		leave();
	}, [place]);
	return { opened, onClose, returnFocus: !isLeft };
}
