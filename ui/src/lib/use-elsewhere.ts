import { useEffect, useEffectEvent, useRef } from "react";
import { useNavigation } from "./navigation";

/** Calls it as soon as the person goes elsewhere: a dialog that belongs to no page would hide the one that they went to. */
export function useElsewhere(close: () => void): void {
	const { place } = useNavigation();
	const here = useRef(place);
	const closeNow = useEffectEvent(close);
	useEffect(() => {
		if (here.current === place) return;
		here.current = place;
		closeNow();
	}, [place]);
}
