import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigation } from "./navigation";

/**
 * A dialog that belongs to no page. It closes as soon as the person goes elsewhere, as it would hide the page that they
 * went to; the focus is then there, and does not return to what opened the dialog.
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
