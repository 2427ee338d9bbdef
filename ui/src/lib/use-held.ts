import { useRef } from "react";

/** Returns the value from before `isHeld` became true. A dialog keeps its content while it fades out. */
export function useHeld<T>(value: T, isHeld: boolean): T {
	const last = useRef(value);
	if (!isHeld) last.current = value;
	return last.current;
}
