import { useRef } from "react";

/** The last value before it was held. What a dialog shows stays as it was while the dialog fades away. */
export function useHeld<T>(value: T, isHeld: boolean): T {
	const last = useRef(value);
	if (!isHeld) last.current = value;
	return last.current;
}
